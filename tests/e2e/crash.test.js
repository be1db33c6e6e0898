/** Kills tabs at random times, and says how many calls that interrupted; `every-write.test.js` interrupts each write. `CRASHES`: the number per store. `SEED`: the seed of the kill times. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { guarded } from './guard.js';
import { killTabs } from './stores/crash.js';
import { serveStores } from './stores/stores.js';

const count = Number(process.env.CRASHES ?? 4);
const seed = Number(process.env.SEED ?? 1);
// Firefox tabs cannot be killed from outside.
const chromium = BROWSERS.find(({ name }) => name === 'chromium');

describe('a killed tab loses no data', { skip: !chromium }, () => {
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
    test(`${count} killed tabs on ${kind}`, async (t) => {
      const outcomes = await guarded(killTabs({ browser: running, address: server.address, kind, count, seed }));
      for (const [outcome, times] of Object.entries(outcomes)) t.diagnostic(`${kind}: ${outcome}: ${times}`);
    });
  }
});
