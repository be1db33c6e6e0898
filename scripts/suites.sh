#!/usr/bin/env bash
# Runs test suites and prints the total number of tests. A failed suite does not stop the others.
#
#   scripts/suites.sh SUITE…     each is the make target `test-SUITE`; three at a time run, in this order
set -uo pipefail

cd "$(dirname "$0")/.." || exit 1
logs=target/suites
rm -rf "$logs"
mkdir -p "$logs"

# attempt SUITE: prefixes every line with the suite.
attempt() {
  local prefix=()
  case $1 in
    # A browser may hang while it loads the page, and its driver waits for it without an end.
    firefox | chromium) command -v timeout >/dev/null && prefix=(timeout --kill-after=10 "${BROWSER_LIMIT:-15m}") ;;
    # Browsers go first, because their waits have limits.
    native | package) prefix=(nice -n 5) ;;
  esac
  ${prefix[@]+"${prefix[@]}"} "${MAKE:-make}" --no-print-directory "test-$1" 2>&1 | tee "$logs/$1.log" | awk -v suite="$1" '{ print "[" suite "] " $0; fflush() }'
  return "${PIPESTATUS[0]}"
}

# The browser did not start, or ended without a result, so the crate is not at fault.
browser_failed() {
  case $1 in
    firefox | chromium) ! grep -q 'test result: FAILED' "$logs/$1.log" && grep -q 'Running headless tests' "$logs/$1.log" ;;
    *) false ;;
  esac
}

run() {
  local suite=$1 start=$SECONDS status=0 seconds retry
  printf '[%s] ==> started\n' "$suite"
  attempt "$suite" || status=$?
  for retry in 1 2; do
    if [ "$status" = 0 ] || ! browser_failed "$suite"; then break; fi
    printf '[%s] ==> the browser failed without a test result: retrying\n' "$suite"
    mv "$logs/$suite.log" "$logs/$suite.$retry.log"
    status=0
    attempt "$suite" || status=$?
  done
  seconds=$((SECONDS - start))
  printf '{"status": %d, "seconds": %d}\n' "$status" "$seconds" >"$logs/$suite.json"
  printf '[%s] <== %s after %d s\n' "$suite" "$([ "$status" = 0 ] && echo passed || echo FAILED)" "$seconds"
}

# `xargs` starts a shell for each suite.
export logs
export -f attempt browser_failed run
# shellcheck disable=SC2016 # that shell expands $1
printf '%s\n' "$@" | xargs -n 1 -P 3 bash -c 'run "$1"' run

node scripts/tally.mjs "$logs" "$@"
