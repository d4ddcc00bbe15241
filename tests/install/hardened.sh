#!/usr/bin/env bash
# hardened.sh FILE...: checks that programs and libraries are built as described in SECURITY.md.
set -euo pipefail
failed=0
for file in "$@"; do
    wants() {
        if ! grep -qE "$2" <<<"$3"; then
            echo "$file: no $1"
            failed=1
        fi
    }
    dynamic=$(readelf -dW "$file")
    symbols=$(readelf --dyn-syms -W "$file")
    segments=$(readelf -lW "$file")
    wants "position-independent code" 'Type: +DYN' "$(readelf -hW "$file")"
    wants "RELRO" GNU_RELRO "$segments"
    wants "immediate binding" 'BIND_NOW|FLAGS.* NOW' "$dynamic"
    wants "stack protector" __stack_chk_fail "$symbols"
    wants "checked copies" '__(memcpy|snprintf|vsnprintf|memset|strcpy|fread|read)_chk' "$symbols"
    if grep GNU_STACK <<<"$segments" | grep -q RWE; then
        echo "$file: an executable stack"
        failed=1
    fi
done
exit $failed
