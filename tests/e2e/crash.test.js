/** Tabs that are killed. `CRASHES` is how many in each store, `SEED` what decides when. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { killTabs } from './stores/crash.js';
import { serveStores } from './stores/stores.js';

const count = Number(process.env.CRASHES ?? 4);
const seed = Number(process.env.SEED ?? 1);
// Firefox has no way to kill a tab from outside.
const chromium = BROWSERS.find(({ name }) => name === 'chromium');

describe('a killed tab loses nothing', { skip: !chromium }, () => {
  let running;
  let server;
  before(async () => {
    server = await serveStores();
    running = await launch(chromium);
  });
  after(async () => {
    await running?.close();
    await server?.close();
  });

  for (const kind of ['lightningfs', 'opfs-async', 'opfs-sync']) {
    test(`case_126_${count}_kills_on_${kind}`, { timeout: 120_000 + count * 20_000 }, async (t) => {
      const outcomes = await killTabs({ browser: running, address: server.address, kind, count, seed });
      for (const [outcome, times] of Object.entries(outcomes)) t.diagnostic(`${kind}: ${outcome}: ${times}`);
      const inside = Object.entries(outcomes).filter(([outcome]) => !outcome.endsWith('was over')).reduce((sum, [, times]) => sum + times, 0);
      // Of few calls, how many are cut off is chance.
      if (count >= 20) assert.ok(inside >= count / 2, `only ${inside} of ${count} calls were cut off`);
    });
  }
});
