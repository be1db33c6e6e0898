import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

/** The page is reloaded after this line, during the call of the model whose conversation has these words. */
const MOMENTS = [
  { when: 'in PLAN', line: 'Writing .ralph/plan.tsx', words: 'heros' },
  { when: 'in BUILD', line: 'Writing src/sections/HeroSection.tsx', words: 'I build the page' },
];

inEachBrowser('a reloaded page', (_, differs) => {
  differs.storage('begins a story again that it had not prepared', async (demo) => {
    await demo.open();
    await demo.page.evaluate(() => {
      new MutationObserver(() => document.querySelector('.project-menu').textContent.includes('Two more drinks') && location.reload()).observe(document.body, { childList: true, characterData: true, subtree: true });
      document.querySelector('[data-story=converted]').click();
    });
    await demo.until(() => performance.getEntriesByType('navigation')[0].type === 'reload');
    await demo.ready();
    await demo.parsedAs('FIX Two moods not working');
    assert.equal(await demo.page.$('[aria-label="Unfinished run"]'), null);
  });

  for (const { when, line, words } of MOMENTS) {
    differs.storage(`resumes an interrupted run, ${when}`, async (demo) => {
      await demo.runUntil(line, words);
      await demo.reload();
      await demo.page.waitForSelector('[aria-label="Unfinished run"]');
      const attempts = await demo.attempts();
      assert.ok(attempts.length > 0, 'the attempts before the reload are shown');
      await demo.screenshot('unfinished');
      await demo.click('Resume');
      await demo.lineAppears('Resumed');
      await demo.status('Done');
      assert.ok((await demo.attempts()).length > attempts.length);
      await demo.snapshotAppears('task-1-post');
      assert.deepEqual(await demo.snapshots(), ['task-1-post', 'task-1-pre']);
      assert.match((await demo.files())['src/App.tsx'], /<HeroSection \/>/);
      await demo.reload();
      await demo.ready();
      assert.equal(await demo.page.$('[aria-label="Unfinished run"]'), null);
    });
  }

  differs.storage('can discard an interrupted run and start another', async (demo) => {
    await demo.runUntil(MOMENTS[0].line, MOMENTS[0].words);
    await demo.reload();
    await demo.ready();
    await demo.openModel('ollama');
    await demo.page.locator('.model-fields input[type=text]').fill('qwen3');
    await demo.useModel();
    await demo.until(() => /began with Demo script.*Resume with Demo script.*Resume with qwen3/.test(document.querySelector('[aria-label="Unfinished run"]').textContent));
    await demo.openModel('scripted');
    await demo.useModel();
    await demo.until(() => !/began with/.test(document.querySelector('[aria-label="Unfinished run"]').textContent));
    await demo.write('Something else');
    await demo.until(() => document.querySelector('#task-hint').textContent.startsWith('This ends the interrupted run'));
    await demo.click('Discard');
    await demo.status('Stopped');
    assert.equal(await demo.page.$('[aria-label="Unfinished run"]'), null);
    await demo.reload();
    await demo.ready();
    assert.equal(await demo.page.$('[aria-label="Unfinished run"]'), null);
    // The clock goes back. The newest run is still the last one.
    await demo.page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() - 3_600_000;
    });
    await demo.run('Build a landing page for Driftwood, a small coffee roastery by the sea.');
    await demo.status('Done');
    await demo.reload();
    await demo.ready();
    await demo.status('Done');
  });
});
