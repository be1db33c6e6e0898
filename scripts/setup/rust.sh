# Rust with the wasm target, by rustup.

setup_rust() {
  setup_linker
  has cargo || install_rust
  local found
  found=$(rustc --version | awk '{ print $2 }')
  at_least "$rust_version" "${found%%-*}" ||
    fail "Rust $rust_version or newer is needed, and $found is installed: run 'rustup update stable', then this again"
  [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ] ||
    rustup_add target wasm32-unknown-unknown
}

setup_linker() {
  has cc && return
  lock
  [ "$(uname -s)" != Darwin ] || fail "a linker is missing: run 'xcode-select --install', then this again"
  install_packages "a C compiler and linker" build-essential ""
}

install_rust() {
  lock
  has curl || install_packages curl "curl ca-certificates" curl
  say "installing Rust with rustup into $cargo_home"
  local script=$tool_cache/rustup-init.sh
  mkdir -p "$tool_cache"
  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs -o "$script" &&
    shown sh "$script" -y --no-modify-path --profile minimal ||
    fail "rustup could not be installed: install Rust from https://rustup.rs, then run this again"
}

# rustup_add target|component NAME
rustup_add() {
  has rustup || fail "the Rust $1 $2 is missing, and Rust was not installed by rustup: install it by hand, or Rust from https://rustup.rs"
  lock
  say "installing the Rust $1 $2"
  quietly rustup "$1" add "$2" || fail "rustup could not add the $1 $2: run 'rustup $1 add $2', then this again"
}
