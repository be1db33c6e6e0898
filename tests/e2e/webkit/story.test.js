/** The demo's first story in WebKit, which has no OPFS, with a reload in the middle. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { hangingAt } from '../demo.js';
import { HANG_MS } from '../guard.js';
import { serveDemo } from '../server.js';
import { isMissing, launchWebKit } from './webkit.js';

const SCREENSHOTS = new URL('../screenshots/', import.meta.url);

test('WebKit plays the first story, and resumes it after a reload', { skip: isMissing, timeout: 2 * HANG_MS }, async (context) => {
  const server = await serveDemo();
  context.after(server.close);
  const { driver, close } = await launchWebKit({ width: 1440, height: 900 });
  context.after(close);
  const until = (condition, ...args) => driver.wait(() => driver.executeScript(condition, ...args), HANG_MS, String(condition)).catch(async (cause) => {
    throw new Error(`${cause.message}\nThe page shows:\n${await driver.executeScript(() => document.body.innerText)}`, { cause });
  });
  const click = async (selector) => {
    await until((selector) => document.querySelector(selector) !== null, selector);
    await driver.executeScript((selector) => document.querySelector(selector).click(), selector);
  };

  await driver.get(server.address + hangingAt('I build the page'));
  await click('[data-story=landing]:not([aria-disabled=true])');
  await until(() => document.querySelector('.thread')?.textContent.includes('Plan refused') && document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
  await driver.executeScript(() => history.replaceState(null, '', '?delay=0'));
  await driver.navigate().refresh();
  await click('[aria-label="Unfinished run"] .primary:not(:disabled)');
  await until(() => /(Done|To look at)$/.test(document.querySelector('[data-testid=status]')?.textContent));
  const result = await driver.executeScript(() => document.querySelector('[data-testid=outcome]').textContent);
  assert.match(result, /Requirements: \d of \d/);
  await until(() => document.querySelector('.preview-frame').contentDocument?.querySelector('iframe') != null);
  await mkdir(SCREENSHOTS, { recursive: true });
  await writeFile(new URL('webkit-story.png', SCREENSHOTS), await driver.takeScreenshot(), 'base64');
});
