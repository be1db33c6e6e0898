import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

/** The page is reloaded when this line appears in the timeline. */
const MOMENTS = [
  { when: 'in PLAN', line: 'Writing .ralph/plan.tsx' },
  { when: 'in BUILD', line: 'Writing src/sections/HeroSection.tsx' },
];

inEachBrowser('a reloaded page', (demoTest) => {
  demoTest('begins a story again that it had not prepared', async (demo) => {
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

  for (const { when, line } of MOMENTS) {
    demoTest(`resumes an interrupted run, ${when}`, async (demo) => {
      await demo.open('?delay=120');
      await demo.run();
      await demo.lineAppears(line);
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

  demoTest('can discard an interrupted run and start another', async (demo) => {
    await demo.open('?delay=120');
    await demo.run();
    await demo.lineAppears('Writing .ralph/plan.tsx');
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
