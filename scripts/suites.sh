#!/usr/bin/env bash
# Runs test suites one after the other, all of them also when one fails, and ends with the sum of their tests.
#
#   scripts/suites.sh SUITE…     each is the make target `test-SUITE`
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
logs=target/suites
rm -rf "$logs"
mkdir -p "$logs"

for suite in "$@"; do
  printf '\n==> %s\n' "$suite"
  start=$SECONDS
  ${MAKE:-make} --no-print-directory "test-$suite" 2>&1 | tee "$logs/$suite.log"
  status=${PIPESTATUS[0]}
  seconds=$((SECONDS - start))
  printf '{"status": %d, "seconds": %d}\n' "$status" "$seconds" >"$logs/$suite.json"
  printf '<== %s: %s after %d s\n' "$suite" "$([ "$status" = 0 ] && echo passed || echo FAILED)" "$seconds"
done

node scripts/tally.mjs "$logs" "$@"
