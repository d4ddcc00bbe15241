#!/usr/bin/env bash
# install.sh SOURCE BUILD COMPILER: installs BUILD into a temporary prefix, takes the C example out
# of the README, and builds and runs it against the shared and the static library, with pkg-config
# and with CMake. All four must print the same rewards of the eight pictures of a video.
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
foreach(kind shared static temporalot)
  add_executable(cmake_${kind} ../example.c)
  target_link_libraries(cmake_${kind} PRIVATE temporalot::${kind})
endforeach()
END
cmake -S package -B package/build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
cmake --build package/build >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }

export LD_LIBRARY_PATH=$libdir
"$build/tests/headers/headers_example" "$work/a.npy" "$work/a.safetensors" "$work"
expected=$(./with_shared)
echo "the example prints: $expected"
[ "$(echo "$expected" | wc -l)" = 8 ] || { echo "expected eight rewards"; exit 1; }
for program in ./with_static package/build/cmake_shared package/build/cmake_static; do
    [ "$($program)" = "$expected" ] || { echo "$program prints something else"; exit 1; }
done
ldd ./with_static | grep -q libtemporalot && { echo "with_static is not static"; exit 1; }
[ "$(package/build/cmake_temporalot)" = "$expected" ] || { echo "temporalot::temporalot: something else"; exit 1; }

# moved, it finds everything in its own tree
unset LD_LIBRARY_PATH
mv "$prefix" "$work/moved"
if readelf -d "$work/moved/bin/temporalot" "$libdir"/../../moved/lib*/libtemporalot.so 2>/dev/null |
    grep -E 'R(UN)?PATH' | grep -F "$source"; then
    echo "the installed files look for libraries in the checkout"
    exit 1
fi
"$work/moved/bin/temporalot" doctor >"$work/doctor.log" || true
for what in MuJoCo scenes; do
    if ! grep -E "^ok +$what" "$work/doctor.log" | grep -qF "$work/moved"; then
        cat "$work/doctor.log"
        echo "a moved copy does not find its own $what"
        exit 1
    fi
done
ldd "$work/moved/bin/temporalot" | grep libdnnl | grep -qF "$work/moved" ||
    { echo "a moved copy does not find its own oneDNN"; exit 1; }
# completion and manual, made by the program itself
for made in bash-completion/completions/temporalot zsh/site-functions/_temporalot \
    fish/vendor_completions.d/temporalot.fish man/man1/temporalot.1; do
    [ -s "$work/moved/share/$made" ] || { echo "share/$made is missing or empty"; exit 1; }
done
"$work/moved/bin/temporalot" --version
