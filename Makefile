# Every command of the project. `make help` lists them; CONTRIBUTING.md explains them.

# Not /bin/sh: older makes would look commands up on their own PATH instead of the one exported below.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

# Tools installed by `scripts/setup.sh` come first, those in cargo's folder last.
export PATH := $(shell scripts/setup.sh path)
# Browsers come from the system.
export PUPPETEER_SKIP_DOWNLOAD := 1

ADDRESS := http://localhost:4173

# Includes folders, whose times change when a file is removed.
files = $(shell find $(1) \( -name node_modules -o -name dist -o -name screenshots \) -prune -o \( -type f -o -type d \) -print 2>/dev/null)
CRATE_SOURCES := Cargo.toml Cargo.lock $(call files,src)
PACKAGE_SOURCES := package.json $(wildcard pkg/*.json) $(call files,pkg/src pkg/scripts)
DEMO_SOURCES := $(call files,www)

# `all` runs as wasm in Node.js, `web` in browsers.
CARGO_TEST_WASM := cargo test --profile proof --target wasm32-unknown-unknown
TEST_WASM := CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner $(CARGO_TEST_WASM)
# Prints the duration of each test.
TEST_NATIVE := cargo test --profile proof --all-features --config "target.'cfg(not(target_family = \"wasm\"))'.runner = 'scripts/report-time.sh'"

MODULES := node_modules/.package-lock.json
PACKAGE := pkg/dist/index.js
DEMO := www/dist/index.html

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- For users ----------------------------------------------------------------------------

.PHONY: demo
demo: build ## build and serve the demo on http://localhost:4173
	@echo "The demo is at $(ADDRESS) (Ctrl+C stops it)"
	@npm run --silent preview --workspace loopgate-demo -- --port 4173 --strictPort

.PHONY: test
test: setup-build setup-browsers ## run every test (SUITES=, LINT=1: and the lints)
	@node scripts/suites.mjs $(if $(LINT),--lint) $(SUITES)

.PHONY: build
build: $(DEMO) ## build the wasm, the package and the demo

.PHONY: build-package build-demo build-tests-native build-tests-wasm
build-package: $(PACKAGE)
build-demo: $(DEMO)
build-tests-native: setup-build
	$(TEST_NATIVE) --no-run
build-tests-wasm: setup-build
	$(CARGO_TEST_WASM) --test all --test web --no-run

.PHONY: lint
lint: lint-crate lint-package ## formats, lints of both targets, fuzz targets, types, architecture, size
	@# Not in `lint-crate`, which runs beside `test-native` in CI.
	cargo test --all-features --test architecture

.PHONY: lint-crate
lint-crate: setup-build setup-lint
	cargo fmt --check
	cargo clippy --all-targets --all-features -- -D warnings
	cargo clippy --lib --test all --test web --all-features --target wasm32-unknown-unknown -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" cargo doc --no-deps --all-features --document-private-items
	@# The fuzz targets are a workspace of their own. They are not linked, so the fuzzing engine need not be built.
	@[ -e fuzz/Cargo.lock ] || cp Cargo.lock fuzz/
	CUSTOM_LIBFUZZER_PATH=/dev/null CARGO_TARGET_DIR=target cargo check --manifest-path fuzz/Cargo.toml

.PHONY: lint-package
lint-package: setup-lint $(PACKAGE) test-types
	npx --no-install tsc --project benches
	shellcheck -x scripts/*.sh .ci/run
	node scripts/size.mjs
	node scripts/modules.mjs

.PHONY: bench
bench: $(DEMO) setup-browsers ## run the benchmarks
	npm run --silent bench --workspace loopgate-benches

.PHONY: size
size: $(PACKAGE) ## print the size of the binary and its modules; BASE=<commit>: and what changed since
	node scripts/size.mjs
ifdef BASE
	rm -rf target/base && git worktree prune && git worktree add --force --detach target/base $(BASE)
	cd target/base && CARGO_TARGET_DIR=../base-build cargo build --release --target wasm32-unknown-unknown
	git worktree remove --force target/base
endif
	node scripts/modules.mjs $(if $(BASE),target/base-build/wasm32-unknown-unknown/release/loopgate.wasm)

.PHONY: package
package: $(PACKAGE) ## pack the npm package into target/package/
	@rm -rf target/package && mkdir -p target/package
	npm pack --silent --workspace loopgate --pack-destination target/package
	@ls target/package/*.tgz

.PHONY: clean
clean: ## remove build output (installed tools stay)
	rm -rf target node_modules pkg/dist pkg/wasm pkg/node_modules www/dist www/node_modules tests/e2e/node_modules benches/node_modules

# ---- Suites of `make test` -----------------------------------------------------------------

.PHONY: test-native
test-native: setup-build ## the crate's tests, native
	$(TEST_NATIVE) --no-fail-fast

.PHONY: test-wasm
test-wasm: setup-build ## the tests of the engine and of snapshots as wasm in Node.js
	$(TEST_WASM) --test all

.PHONY: test-firefox
test-firefox: $(MODULES) setup-browsers ## the tests of the bindings in Firefox
	GECKODRIVER=$$(command -v geckodriver) $(TEST_WASM) --test web

.PHONY: test-chromium
test-chromium: $(MODULES) setup-browsers ## the tests of the bindings in Chromium
	CHROMEDRIVER=$$(command -v chromedriver) $(TEST_WASM) --test web

.PHONY: test-package
test-package: $(PACKAGE) test-types ## the package's tests in Node.js, and its declarations
	npm test --workspace loopgate

.PHONY: test-types
test-types: $(PACKAGE) ## a file that uses every export, under tsc --strict
	npx --no-install tsc --project tests/types
	npx --no-install tsc --project tests/types/ai-sdk

.PHONY: test-scripts
test-scripts: $(PACKAGE) ## the tests of scripts/
	node --test --test-reporter=spec scripts/*.test.mjs

.PHONY: test-demo
test-demo: $(DEMO) ## the demo's unit tests in Node.js
	npm test --workspace loopgate-demo

.PHONY: test-e2e test-e2e-chromium test-e2e-firefox test-e2e-webkit
test-e2e: test-e2e-chromium test-e2e-firefox test-e2e-webkit ## the demo and the packed package in browsers
test-e2e-chromium test-e2e-firefox: $(DEMO) setup-browsers
	BROWSERS=$(@:test-e2e-%=%) npm test --workspace loopgate-e2e
test-e2e-webkit: $(DEMO) setup-browsers
	npm run --silent test:webkit --workspace loopgate-e2e

.PHONY: fuzz
fuzz: setup-build setup-fuzz ## fuzz each target for a minute (TARGETS=, FUZZ_SECONDS=)
	@# Coverage needs no nightly compiler, only its flags.
	cd fuzz && for target in $(or $(TARGETS),$(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))); do \
	  mkdir -p corpus/$$target; \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none $$target corpus/$$target seeds/$$target -- \
	    -max_total_time=$(or $(FUZZ_SECONDS),60) -max_len=65536 $$([ ! -e $$target.dict ] || echo "-dict=$$target.dict"); \
	done

.PHONY: crash
crash: $(PACKAGE) setup-browsers ## kill 100 tabs in each store during saves and rollbacks (CRASHES=, SEED=)
	CRASHES=$(or $(CRASHES),100) BROWSERS=chromium node --test --test-reporter=spec tests/e2e/crash.test.js

# ---- Build --------------------------------------------------------------

$(MODULES): package.json package-lock.json $(wildcard pkg/package.json www/package.json tests/e2e/package.json benches/package.json) | setup-build
	npm ci --no-audit --no-fund
	@touch $@

$(PACKAGE): $(CRATE_SOURCES) $(PACKAGE_SOURCES) $(MODULES)
	npm run build --workspace loopgate
	@touch $@

$(DEMO): $(PACKAGE) $(DEMO_SOURCES)
	npm run build --workspace loopgate-demo
	@touch $@

# ---- Setup --------------------------------------------------------------------

.PHONY: setup-build setup-lint setup-browsers setup-fuzz
setup-build setup-lint setup-browsers setup-fuzz:
	@scripts/setup.sh $(@:setup-%=%)
