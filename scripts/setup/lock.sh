# One installation at a time, also when two checkouts are set up at once.

# lock: waits for the lock and holds it until the script ends. A symbolic link is made in one step on
# every system, and its target tells who holds it.
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

# What the tools were compiled from is of no use once they are there.
unlock() {
  rm -rf "$tool_cache/target"
  rm -f "$tool_cache/lock"
}
