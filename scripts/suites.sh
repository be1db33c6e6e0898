#!/usr/bin/env bash
# Runs test suites, all of them also when one fails, and ends with the sum of their tests.
#
#   scripts/suites.sh SUITE… [-- SUITE…]     each is the make target `test-SUITE`; lists run side by side, each in its order
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
logs=target/suites
rm -rf "$logs"
mkdir -p "$logs"

# run SUITE: every line that it prints says which suite it is of.
run() {
  local suite=$1 start=$SECONDS status seconds
  printf '[%s] ==> started\n' "$suite"
  ${MAKE:-make} --no-print-directory "test-$suite" 2>&1 | tee "$logs/$suite.log" | awk -v suite="$suite" '{ print "[" suite "] " $0; fflush() }'
  status=${PIPESTATUS[0]}
  seconds=$((SECONDS - start))
  printf '{"status": %d, "seconds": %d}\n' "$status" "$seconds" >"$logs/$suite.json"
  printf '[%s] <== %s after %d s\n' "$suite" "$([ "$status" = 0 ] && echo passed || echo FAILED)" "$seconds"
}

lane() {
  local suite
  for suite in "$@"; do run "$suite"; done
}

suites=()
waiting=()
for argument in "$@" --; do
  if [ "$argument" != -- ]; then
    waiting+=("$argument")
  elif [ "${#waiting[@]}" -gt 0 ]; then
    lane "${waiting[@]}" &
    suites+=("${waiting[@]}")
    waiting=()
  fi
done
wait

node scripts/tally.mjs "$logs" "${suites[@]}"
