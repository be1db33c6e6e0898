/** Finds and starts installed browsers. Nothing is downloaded. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { HANG_MS } from './guard.js';

// Without motion, which a machine without a graphics processor would draw all the time.
const CHROMIUM_FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--force-prefers-reduced-motion',
];

const KNOWN = [
  {
    name: 'chromium',
    variable: 'CHROME',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    applications: ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'],
    options: { browser: 'chrome', args: CHROMIUM_FLAGS },
  },
  {
    name: 'firefox',
    variable: 'FIREFOX',
    commands: ['firefox-esr', 'firefox'],
    applications: ['Firefox.app/Contents/MacOS/firefox', 'Firefox Developer Edition.app/Contents/MacOS/firefox'],
    options: { browser: 'firefox', extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 } },
  },
];

/** The browsers in the variable BROWSERS (`chromium,firefox`); default: all. */
export const BROWSERS = selected(process.env.BROWSERS);

/** Starts a browser with an empty profile. */
export function launch(browser) {
  return puppeteer.launch({ ...browser.options, executablePath: executable(browser), headless: true, timeout: HANG_MS, protocolTimeout: HANG_MS, defaultViewport: { width: 1440, height: 900 } });
}

function selected(list) {
  if (!list) return KNOWN;
  return list.split(',').map((name) => {
    const found = KNOWN.find((browser) => browser.name === name);
    if (!found) throw new Error(`unknown browser "${name}" in BROWSERS: use ${KNOWN.map(({ name }) => name).join(' or ')}`);
    return found;
  });
}

/** The path in the variable, or the first one found by name. */
function executable({ name, variable, commands, applications }) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...applications.flatMap((path) => ['/Applications', join(process.env.HOME ?? '/', 'Applications')].map((folder) => join(folder, path))),
  ];
  const path = process.env[variable] ?? candidates.find(existsSync);
  if (!path || !existsSync(path)) throw new Error(`${name} not found: install it (${commands[0]}), or set ${variable} to its path`);
  return path;
}
