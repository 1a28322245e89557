# GameProfiler: `make help` lists what can be made.
SWIFT ?= swift
# An import of a target that the manifest does not name as a dependency is an error.
CHECK_IMPORTS = --explicit-target-dependency-import-check error
BUILD_FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help dependencies build release demo test end-to-end diagnose field-test arm64-test soak fuzz docs lint format bench bench-build clean analyzer analyzer-test fleet fleet-test install package package-test

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{ printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ## install what this machine lacks (Debian packages)
	@Scripts/install-dependencies

build: dependencies ## debug build of everything
	$(SWIFT) build $(CHECK_IMPORTS) $(BUILD_FLAGS)

release: dependencies ## release build: .build/release/gameprof and .build/release/gamelab
	$(SWIFT) build -c release $(CHECK_IMPORTS) $(BUILD_FLAGS) --product gameprof
	$(SWIFT) build -c release $(CHECK_IMPORTS) $(BUILD_FLAGS) --product gamelab

demo: dependencies ## play the book's games and faults under gameprof, write Reports/demo/index.html
	@Scripts/demo

test: dependencies ## the fast tests: units, the games and their faults
	@Scripts/test

end-to-end: dependencies ## the tests that run the released tool on real programs
	@Scripts/test --end-to-end

diagnose: dependencies ## the project's own diagnostic pass: GameLab against .ci/budget.yml
	@Scripts/diagnose

field-test: dependencies ## the long tests with other people's programs and viewers
	@Scripts/field-test

arm64-test: dependencies ## programs for aarch64 under qemu-user beside the same on this machine (as root: 7 GB of Debian's Swift the first time)
	@Scripts/install-dependencies --arm64
	@Scripts/arm64-root
	$(SWIFT) build -c release $(CHECK_IMPORTS) $(BUILD_FLAGS) --product gameprof
	@Scripts/arm64-test

soak: dependencies ## the long tests that repeat under load, and 10 million executions of each fuzzer
	@Scripts/soak

fuzz: dependencies ## a minute of made-up call frame information, ELF images and traces for their readers
	@Scripts/fuzz --seconds 60

analyzer: ## release build of the analyzer beside gameprof (swift-syntax takes minutes the first time)
	@Scripts/analyzer

fleet: dependencies ## release build of gameprof-history beside gameprof (SQLite)
	@Scripts/fleet

fleet-test: dependencies ## the tests of the history: statistics, writers at once, planted regressions
	@Scripts/fleet --test

analyzer-test: analyzer ## the analyzer's tests: its corpus, its edits, malformed sources
	@Scripts/analyzer --test

docs: dependencies ## the references of GameInstrumentation and GameProfiler as DocC archives
	@Scripts/docs

lint: dependencies ## formatting, the graph of imports and includes, a compile for aarch64
	@Scripts/lint

format: dependencies ## format Swift and C sources in place
	@Scripts/lint --fix

bench: release ## overheads beside the unrecorded program, heaptrack and AddressSanitizer
	$(SWIFT) build -c release $(CHECK_IMPORTS) $(BUILD_FLAGS)
	@Benchmarks/run

bench-build: dependencies ## what builds take: for make demo, with tests, and after a change; the CPU time of each target
	@Benchmarks/build-times

install: dependencies ## install into $(DESTDIR)$(PREFIX) (/usr/local): tool, recorder, man pages, completions; needs no toolchain then
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install

package: dependencies ## .tar.zst, .deb, artifact bundle and Containerfile for glibc 2.29 and later, in .build/package
	@Scripts/package

package-test: package ## use the packages in clean roots of Debian and Ubuntu without Swift (as root, with debootstrap)
	@Scripts/package-test

clean: ## remove what was built and reported
	rm -rf .build Reports/demo Reports/*.html
