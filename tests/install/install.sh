#!/usr/bin/env bash
# install.sh SOURCE BUILD COMPILER: installs BUILD into a temporary prefix, takes the C example out
# of the README, and builds and runs it against the shared and the static library, with pkg-config
# and with CMake. All four must print the same three rewards.
set -euo pipefail
source=$1 build=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/install.log"
awk '/^```c$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$source/README.md" >"$work/example.c"
grep -q tot_label "$work/example.c" || { echo "no C example in the README"; exit 1; }

libdir=$(dirname "$(find "$prefix" -name libtemporalot.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
cd "$work"
# shellcheck disable=SC2046 # words on purpose
"$compiler" -std=c17 -Wall -Werror example.c $(pkg-config --cflags --libs temporalot) -o with_shared
# shellcheck disable=SC2046
"$compiler" -std=c17 -Wall -Werror example.c $(pkg-config --cflags temporalot) \
    "$libdir/libtemporalot.a" $(pkg-config --static --libs temporalot | sed 's/-ltemporalot//') \
    -o with_static

mkdir package
cat >package/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(example LANGUAGES C)
find_package(temporalot 0.1 REQUIRED)
foreach(kind shared static)
  add_executable(cmake_${kind} ../example.c)
  target_link_libraries(cmake_${kind} PRIVATE temporalot::${kind})
endforeach()
END
cmake -S package -B package/build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
cmake --build package/build >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }

export LD_LIBRARY_PATH=$libdir
expected=$(./with_shared)
echo "the example prints: $expected"
[ "$(echo "$expected" | wc -w)" = 3 ] || { echo "expected three rewards"; exit 1; }
for program in ./with_static package/build/cmake_shared package/build/cmake_static; do
    [ "$($program)" = "$expected" ] || { echo "$program prints something else"; exit 1; }
done
ldd ./with_static | grep -q libtemporalot && { echo "with_static is not static"; exit 1; }
"$prefix/bin/temporalot" --version
