/** WebKit, Safari's engine: the browser of Debian's `webkit2gtk-driver`, on a virtual display. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import selenium from 'selenium-webdriver';
import { DriverService } from 'selenium-webdriver/remote/index.js';

const { Builder, Capabilities } = selenium;
const DRIVER = find('WebKitWebDriver');
const DISPLAY_SERVER = find('Xvfb');

/** Why no WebKit can be started here; `false` if one can. */
export const isMissing = DRIVER && DISPLAY_SERVER ? false : 'WebKitWebDriver or Xvfb is not installed (Debian: webkit2gtk-driver, xvfb)';

/** A driver with an empty profile and a window of this size; `close` ends everything that was started. */
export async function launchWebKit({ width, height }) {
  const display = spawn(DISPLAY_SERVER, ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await once(display.stdio[3], 'data');
  const service = new DriverService.Builder(DRIVER).setLoopback(true).setEnvironment({ ...process.env, DISPLAY: `:${String(number).trim()}` }).build();
  const close = async () => {
    await service.kill();
    display.kill();
  };
  try {
    const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } });
    const driver = await new Builder().usingServer(await service.start()).withCapabilities(capabilities).build();
    await driver.manage().window().setRect({ x: 0, y: 0, width, height });
    const quit = async () => {
      await driver.quit().catch(() => {});
      await close();
    };
    return { driver, close: quit };
  } catch (error) {
    await close();
    throw error;
  }
}

function find(command) {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean).map((folder) => join(folder, command)).find(existsSync);
}
