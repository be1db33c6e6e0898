#!/usr/bin/env bash
# Finds the tools of the project and installs missing ones. Prints nothing if the machine is complete.
#
#   scripts/setup.sh build      Rust with the wasm target, wasm-pack, wasm-bindgen, Node.js
#   scripts/setup.sh lint       rustfmt, clippy and shellcheck
#   scripts/setup.sh browsers   Firefox, Chromium, on Linux WebKit, and their WebDrivers
#   scripts/setup.sh fuzz       cargo-fuzz
#   scripts/setup.sh path       prints the PATH with all of these
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/setup/say.sh
. "$root/scripts/setup/say.sh"
# shellcheck source=scripts/setup/versions.sh
. "$root/scripts/setup/versions.sh"
# shellcheck source=scripts/setup/lock.sh
. "$root/scripts/setup/lock.sh"
# shellcheck source=scripts/setup/system.sh
. "$root/scripts/setup/system.sh"
# shellcheck source=scripts/setup/rust.sh
. "$root/scripts/setup/rust.sh"
# shellcheck source=scripts/setup/lints.sh
. "$root/scripts/setup/lints.sh"
# shellcheck source=scripts/setup/cargo-tool.sh
. "$root/scripts/setup/cargo-tool.sh"
# shellcheck source=scripts/setup/node.sh
. "$root/scripts/setup/node.sh"
# shellcheck source=scripts/setup/browsers.sh
. "$root/scripts/setup/browsers.sh"

PATH=$(tool_path)
export PATH

for part in "$@"; do
  case $part in
    build)
      setup_rust
      setup_build_tools
      setup_node
      ;;
    lint) setup_lints ;;
    browsers) setup_browsers ;;
    fuzz) setup_fuzzer ;;
    path) printf '%s\n' "$PATH" ;;
    *) fail "unknown part '$part': build, lint, browsers, fuzz or path" ;;
  esac
done
