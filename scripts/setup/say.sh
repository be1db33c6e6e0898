# Messages: one line per step, one line per failure.

# say TEXT: prints the present step.
say() {
  printf '==> %s\n' "$*" >&2
}

# fail TEXT: says what is missing and what to do, and exits.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# has COMMAND: succeeds if it is on the PATH.
has() {
  command -v "$1" >/dev/null 2>&1
}

# at_least WANTED FOUND: succeeds if the version FOUND is WANTED or newer.
at_least() {
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$1" ]
}

# quietly COMMAND…: prints the output only if it fails.
quietly() {
  local log=$tool_cache/last-command.log
  mkdir -p "$tool_cache"
  "$@" >"$log" 2>&1 && return
  tail -n 20 "$log" >&2
  return 1
}

# shown COMMAND…: like quietly, but shows the progress at a terminal.
shown() {
  if [ -t 2 ]; then "$@" >&2; else quietly "$@"; fi
}
