# A thin front end to CMake. `make` alone lists the targets.
SHELL := /bin/bash
PEERS ?= $(or $(TEMPORALOT_PEERS),build/peers)
JOBS ?= $(shell nproc)
SECONDS_EACH ?= 60
PREFIX ?= /usr/local
SOURCES = $(shell git ls-files '*.c' '*.h')

.PHONY: settings-doc help deps deps-tests build test parity demo debug tsan fuzz valgrind peers peers-full wheel pytest lerobot-test foreign bench-train pydoc dist format tidy install clean

help:
	@echo "make demo       everything from nothing: dependencies, build, a result to look at"
	@echo "make test       everything from nothing: dependencies, build, all tests"
	@echo
	@echo "make build      dependencies and build/temporalot"
	@echo "make debug      the tests under AddressSanitizer and UBSan"
	@echo "make tsan       the unit tests under ThreadSanitizer"
	@echo "make valgrind   the unit tests under Valgrind"
	@echo "make parity     all tasks and pictures beside the Python packages; THIRD=0|1|2|rotate: a third"
	@echo "make fuzz       every reader fuzzed for SECONDS_EACH=60"
	@echo "make peers      the Python packages that tests and benchmarks compare with"
	@echo "make wheel      build/wheel/temporalot-*.whl, for pip, with FFmpeg inside"
	@echo "make pytest     the tests of the Python package"
	@echo "make lerobot-test  datasets of the packages lerobot and minari themselves (installs 7 GB)"
	@echo "make foreign    files that other packages ship: what works, what is refused (fetches 250 MB)"
	@echo "make bench-train  'bench train' beside its peer; fails when it takes more than 4 minutes"
	@echo "make pydoc      the Python package's reference: build/pydoc/index.html"
	@echo "make dist       a tarball that runs on a bare Linux: build/dist/"
	@echo "make format     clang-format"
	@echo "make settings-doc  docs/settings.md from the table of settings"
	@echo "make tidy       clang-tidy"
	@echo "make install    into PREFIX=/usr/local"
	@echo "make clean      everything built; third_party/ stays"

deps:
	@scripts/deps

deps-tests:
	@scripts/deps tests

build: deps
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release -j $(JOBS)

peers: deps-tests
	@scripts/peers $(PEERS)

peers-full:
	@scripts/peers $(PEERS) full

test: deps-tests build peers
	@ctest --preset release -j $(JOBS)

# THIRD=rotate compares a different third of the tasks with every commit
parity: deps-tests build peers
	@scripts/parity $(PEERS) $(JOBS) $(THIRD)

demo: build
	@scripts/demo

debug: deps-tests peers
	@mkdir -p build
	@cmake --preset debug >build/configure-debug.log 2>&1 || { cat build/configure-debug.log; exit 1; }
	@cmake --build --preset debug -j $(JOBS)
	@ctest --preset debug -j $(JOBS)

tsan: deps-tests
	@mkdir -p build
	@cmake --preset tsan >build/configure-tsan.log 2>&1 || { cat build/configure-tsan.log; exit 1; }
	@cmake --build --preset tsan -j $(JOBS) --target unit_tests
	@ctest --preset tsan -j $(JOBS) -L unit \
		-E "^(demo|page)/|^encoder/(networks|int8|weights)|^picture/crop"  # single-threaded

valgrind: deps-tests build
	@scripts/valgrind build $(JOBS)

fuzz: deps-tests
	@FUZZ_SECONDS=$(SECONDS_EACH) scripts/fuzz

wheel: deps
	@JOBS=$(JOBS) scripts/wheel

pytest: deps-tests build peers
	@scripts/pytest build $(PEERS)

lerobot-test: build
	@scripts/lerobot-test build

foreign: build
	@scripts/deps --onnx
	@scripts/foreign

# limited in time, because nobody runs a benchmark that takes too long; exit code 124: it timed out
bench-train: build peers
	@SECONDS=0; TEMPORALOT_PEERS=$(PEERS) timeout 240 build/temporalot bench train; status=$$?; \
		echo "bench train: $$SECONDS s of at most 240, exit $$status"; exit $$status

pydoc: build
	@scripts/pydoc build/pydoc

dist: deps
	@JOBS=$(JOBS) scripts/dist

settings-doc: build
	@build/tests/bin/train_settings_doc_test --write

format:
	@clang-format -i $(SOURCES)

tidy: deps-tests build
	@clang-tidy -p build --quiet --extra-arg=-Wno-unknown-warning-option $(filter src/%.c bench/%.c,$(SOURCES))

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build
