# Tools of `make lint`.

setup_lints() {
  cargo fmt --version >/dev/null 2>&1 || rustup_add component rustfmt
  cargo clippy --version >/dev/null 2>&1 || rustup_add component clippy
  has shellcheck && return
  lock
  install_packages shellcheck shellcheck shellcheck
}
