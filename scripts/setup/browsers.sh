# Firefox, Chromium and, on Linux, WebKit with their WebDrivers.

setup_browsers() {
  if [ "$(uname -s)" = Darwin ]; then
    mac_app Firefox firefox
    mac_app "Google Chrome" google-chrome
    has chromedriver || brew_driver
  else
    linux_browsers
  fi
  setup_cargo_tool geckodriver geckodriver "$geckodriver_version"
}

linux_browsers() {
  local missing=
  has firefox || missing="$missing firefox-esr"
  has chromium || missing="$missing chromium"
  has chromedriver || missing="$missing chromium-driver"
  has WebKitWebDriver || missing="$missing webkit2gtk-driver"
  has Xvfb || missing="$missing xvfb"
  [ -n "$missing" ] || return 0
  lock
  install_packages "the browsers for the tests" "${missing# }" ""
}

# mac_app NAME CASK
mac_app() {
  [ ! -d "/Applications/$1.app" ] && [ ! -d "$HOME/Applications/$1.app" ] || return 0
  lock
  has brew || fail "$1 is missing: install it into /Applications, then run this again"
  install_packages "$1" "" "--cask $2"
}

brew_driver() {
  lock
  has brew || fail "chromedriver is missing: install the one for your Google Chrome, then run this again"
  install_packages chromedriver "" "--cask chromedriver"
}
