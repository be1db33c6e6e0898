# Tools from crates.io, pinned to exact versions.

setup_build_tools() {
  setup_cargo_tool wasm-pack wasm-pack "$wasm_pack_version"
  setup_cargo_tool wasm-bindgen-cli wasm-bindgen "$wasm_bindgen_version"
}

setup_fuzzer() {
  setup_cargo_tool cargo-fuzz cargo-fuzz "$cargo_fuzz_version"
}

# setup_cargo_tool CRATE COMMAND VERSION: installs into cargo's folder, so that the command is on the user's
# PATH. If another version is installed, ours goes to the cache.
setup_cargo_tool() {
  [ "$(tool_version "$2")" != "$3" ] || return 0
  lock
  local found folder=$cargo_home
  found=$(tool_version "$2")
  [ "$found" != "$3" ] || return 0
  [ -z "$found" ] || folder=$(tool_root "$1" "$3")
  say "building $1 $3 into $folder (a few minutes, once)"
  # First with the locked versions; if one of them is not available, with compatible ones.
  cargo_install "$folder" --locked "$1@$3" || { say "retrying without its lock file" && cargo_install "$folder" "$1@$3"; } ||
    fail "$1 $3 could not be built: run 'cargo install $1@$3', then this again"
  hash -r
  found=$(tool_version "$2")
  [ "$found" = "$3" ] || fail "$1 $3 was built into $folder, but '$2' on the PATH is version '$found': remove that one"
}

# tool_version COMMAND: empty if it is missing.
tool_version() {
  { "$1" --version 2>/dev/null || true; } | awk 'NR == 1 { print $2 }'
}

# cargo_install FOLDER ARGUMENTS…: with little optimization, because these tools run shorter than they build.
cargo_install() {
  local folder=$1
  shift
  CARGO_TARGET_DIR=$tool_cache/target CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_STRIP=symbols \
    shown cargo install --force --root "$folder" "$@"
}
