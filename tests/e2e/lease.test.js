/** Two tabs of a project: the second one is refused, follows the run, and takes over when the first tab is gone. */
import assert from 'node:assert/strict';
import { inEachStore } from './stores/fixture.js';
import { Store } from './stores/stores.js';

const call = (name, args = {}) => ({ toolCalls: [{ name, args }] });
const notes = call('write_file', { path: 'notes.md', content: 'notes' });
const summary = call('write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' });

inEachStore('two tabs', (storeTest, kind, browser) => {
  storeTest('a second tab follows the run of the first one, and resumes it after the first one is closed', async (first, { address }) => {
    await first.put({ 'README.md': 'hello' });
    const second = await Store.open(await first.page.browser().newPage(), address, kind, first.name);
    try {
      const runId = await first.ask('startRun', [notes, { ...summary, pause: true }, { hang: true }]);
      for (const resume of [undefined, runId]) {
        await assert.rejects(second.ask('startRun', [], resume), ({ code, holder }) => code === 'locked' && holder.runId === runId);
      }
      await second.ask('startFollowing', runId);
      await until(second, ({ events }) => events.some(({ type }) => type === 'tool-result'));
      await first.ask('proceedRun');
      await until(second, ({ events }) => events.filter(({ type }) => type === 'tool-result').length === 2);

      await kill(first.page, browser);
      assert.equal(await resumed(second, runId), runId);
      assert.equal((await second.ask('resultOf')).success, true);
      const { events } = await until(second, ({ over }) => over);
      const own = events.filter(({ lease }) => lease === events.at(-1).lease);
      assert.deepEqual([own[0].type, own.at(-1).type], ['run-resumed', 'run-finished']);
      assert.deepEqual(events.map(({ seq }) => seq), events.map((_, seq) => seq));
    } finally {
      await second.page.close();
    }
  });
}, ['lightningfs', 'opfs-async', 'opfs-sync']);

/** Waits until the events that a tab follows meet a condition. */
async function until(store, condition) {
  for (;;) {
    const followed = await store.ask('readFollowed');
    if (followed.error) throw new Error(followed.error);
    if (condition(followed)) return followed;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resumes the run as soon as the browser has freed the lock of the closed tab. */
async function resumed(store, runId) {
  for (;;) {
    try {
      return await store.ask('startRun', [notes, summary, call('complete_task')], runId);
    } catch (error) {
      if (error.code !== 'locked') throw error;
    }
  }
}

/** Only tabs of Chromium can be killed from outside. */
async function kill(page, browser) {
  if (browser !== 'chromium') return page.close();
  const session = await page.createCDPSession();
  const gone = new Promise((resolve) => page.once('error', resolve));
  session.send('Page.crash').catch(() => {});
  await gone;
}
