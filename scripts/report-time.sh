#!/usr/bin/env bash
# Runs a test binary of cargo so that it prints the duration of each test, which stable Rust hides.
RUSTC_BOOTSTRAP=1 exec "$@" -Z unstable-options --report-time
