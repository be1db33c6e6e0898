#!/usr/bin/env bash
# Runs test suites, all of them also when one fails, and ends with the sum of their tests.
#
#   scripts/suites.sh SUITE… [-- SUITE…]     each is the make target `test-SUITE`; lists run side by side, each in its order
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
logs=target/suites
rm -rf "$logs"
mkdir -p "$logs"

# attempt SUITE: every line that it prints says which suite it is of.
attempt() {
  ${MAKE:-make} --no-print-directory "test-$1" 2>&1 | tee "$logs/$1.log" | awk -v suite="$1" '{ print "[" suite "] " $0; fflush() }'
  return "${PIPESTATUS[0]}"
}

# A browser that did not start, or ended before it told any result, says nothing about the crate.
browser_gave_out() {
  case $1 in
    firefox | chromium) ! grep -q 'test result: FAILED' "$logs/$1.log" && grep -q 'Running headless tests' "$logs/$1.log" ;;
    *) false ;;
  esac
}

run() {
  local suite=$1 start=$SECONDS status=0 seconds
  printf '[%s] ==> started\n' "$suite"
  attempt "$suite" || status=$?
  if [ "$status" != 0 ] && browser_gave_out "$suite"; then
    printf '[%s] ==> the browser gave out, though no test failed: once more\n' "$suite"
    mv "$logs/$suite.log" "$logs/$suite.first.log"
    status=0
    attempt "$suite" || status=$?
  fi
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
