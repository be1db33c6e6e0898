/** The packed package in WebKit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HANG_MS } from '../guard.js';
import { TASK_OUTCOME, serveInstalled } from '../installed.js';
import { isMissing, launchWebKit } from './webkit.js';

test('WebKit runs the example of the README and a task, and checks a plan in a worker', { skip: isMissing, timeout: HANG_MS }, async (context) => {
  const installed = await serveInstalled();
  context.after(installed.close);
  const { driver, close } = await launchWebKit({ width: 1440, height: 900 });
  context.after(close);
  await driver.get(new URL('index.html', installed.address).href);
  await driver.wait(async () => (await driver.getTitle()) === 'over', HANG_MS);
  const { error, example, task, worker } = await driver.executeScript('return globalThis.outcome');
  assert.equal(error, undefined);
  assert.equal(example, true);
  assert.deepEqual(task, TASK_OUTCOME);
  assert.ok(worker.includes('has-theme'), worker.join());
});
