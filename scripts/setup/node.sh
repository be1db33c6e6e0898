# Node.js with npm. If the system has an old version, npm installs a newer one into the cache.

setup_node() {
  node_is_new_enough && return
  lock
  has npm || install_packages Node.js "nodejs npm" node
  hash -r
  node_is_new_enough && return
  local folder
  folder=$(tool_root node "$node_version")
  say "installing a newer Node.js into $folder"
  quietly npm install --no-audit --no-fund --prefix "$folder" "$node_package" npm@11 || true
  hash -r
  node_is_new_enough || fail "Node.js $node_version or newer is needed: install it from https://nodejs.org, then run this again"
}

node_is_new_enough() {
  has node && has npm && at_least "$node_version" "$(node --version | tr -d v)"
}
