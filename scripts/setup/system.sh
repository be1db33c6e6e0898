# System packages: apt on Debian, Homebrew on macOS.

# install_packages WHAT DEBIAN_PACKAGES BREW_PACKAGES
install_packages() {
  if has apt-get; then
    apt_install "$1" "$2"
  elif has brew; then
    say "installing $1"
    # shellcheck disable=SC2086 # a list of words
    quietly brew install $3 || fail "Homebrew could not install $1: install it by hand, then run this again"
  else
    fail "$1: needed, but neither apt-get nor brew is available: install it by hand, then run this again"
  fi
}

apt_install() {
  local sudo=
  if [ "$(id -u)" != 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      fail "$1: needed; run 'sudo apt-get install $2', then this again"
    fi
    sudo=sudo
  fi
  say "installing $1"
  if [ -z "${apt_updated:-}" ]; then
    quietly $sudo apt-get update -q || say "apt-get update failed; using the present package lists"
    apt_updated=yes
  fi
  # shellcheck disable=SC2086 # lists of words
  quietly $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 $2 ||
    fail "apt-get could not install $2: install $1 by hand, then run this again"
}
