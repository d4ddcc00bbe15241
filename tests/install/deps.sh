#!/usr/bin/env bash
# deps.sh SOURCE: on a machine without any package, scripts/deps asks for what building and running need, and
# for what the tests need only on request; for an ordinary user it prints one command and continues.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tree"
cp -r "$source/scripts" "$work/tree/"
# nothing is downloaded: the existing third_party is used instead
ln -s "$source/third_party" "$work/tree/third_party"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
printf '#!/bin/sh\necho "apt-get was called" >&2; exit 1\n' >"$work/bin/apt-get"
chmod +x "$work"/bin/*
export PATH=$work/bin:$PATH

fail() { echo "$1"; cat "$work/said"; exit 1; }
"$work/tree/scripts/deps" 2>"$work/said" || fail "an ordinary user is not let on"
[ "$(grep -c 'apt-get update && apt-get install' "$work/said")" = 1 ] || fail "not one command"
grep -q cmake "$work/said" || fail "building needs cmake"
for package in chromium slurm-wlm clang valgrind libcmocka-dev; do
    if grep -qw -- "$package" "$work/said"; then fail "building and running do not need $package"; fi
done
"$work/tree/scripts/deps" tests 2>"$work/said" || fail "tests: an ordinary user is not let on"
for package in cmake chromium slurm-wlm clang valgrind libcmocka-dev; do
    grep -qw -- "$package" "$work/said" || fail "tests need $package"
done
if "$work/tree/scripts/deps" --check 2>"$work/said"; then fail "--check does not tell by its exit code"; fi
