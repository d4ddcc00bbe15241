#!/bin/sh
# Runs a Python test with the Python of the peers: with_peers.sh FOLDER SCRIPT [ARGUMENTS]
# FOLDER is where `make peers` creates it; TEMPORALOT_PEERS overrides it. Exits 77 (skipped) if there is
# none.
folder=${TEMPORALOT_PEERS:-$1}
shift
if [ ! -x "$folder/bin/python" ] && [ -n "${CI:-}" ]; then
    echo "no Python at $folder, and CI must have it (make peers)"
    exit 1
fi
if [ ! -x "$folder/bin/python" ]; then
    echo "skipped: no Python at $folder (make peers)"
    exit 77
fi
# with AVX-512, numpy's norms and exponentials differ from those of other CPUs in the last digit, and tests
# require bitwise equality with Meta-world's package (tests/world/parity.py)
export NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR" OPENBLAS_CORETYPE=Haswell
exec "$folder/bin/python" -B "$@"
