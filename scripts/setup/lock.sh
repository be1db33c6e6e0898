# One installation at a time, also across checkouts.

# lock: waits for the lock and holds it until the script ends. Creating a symbolic link is atomic, and its target
# is the process that holds the lock.
lock() {
  local link=$tool_cache/lock holder announced=
  mkdir -p "$tool_cache"
  until ln -sn $$ "$link" 2>/dev/null; do
    holder=$(readlink "$link") || continue
    [ "$holder" != $$ ] || return 0
    if ! kill -0 "$holder" 2>/dev/null; then
      rm -f "$link"
      continue
    fi
    [ -n "$announced" ] || say "waiting for another set-up to end (process $holder)"
    announced=yes
    sleep 1
  done
  trap unlock EXIT
}

# Also removes the build output of the tools.
unlock() {
  rm -rf "$tool_cache/target"
  rm -f "$tool_cache/lock"
}
