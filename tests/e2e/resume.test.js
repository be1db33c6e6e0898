import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

/** The page is reloaded when this line appears in the timeline. */
const MOMENTS = [
  { when: 'in PLAN', line: 'Writing .ralph/plan.tsx' },
  { when: 'in BUILD', line: 'Writing src/sections/HeroSection.tsx' },
];

inEachBrowser('a reloaded page', (demoTest) => {
  for (const { when, line } of MOMENTS) {
    demoTest(`resumes an interrupted run, ${when}`, async (demo) => {
      await demo.open('?delay=120');
      await demo.run();
      await demo.lineAppears(line);
      await demo.reload();
      await demo.page.waitForSelector('[aria-label="Unfinished run"]');
      await demo.screenshot('unfinished');
      await demo.click('Resume');
      await demo.lineAppears('Resumed');
      await demo.status('Done');
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
    await demo.until(() => /began with Demo script.*continues it with qwen3/.test(document.querySelector('[aria-label="Unfinished run"]').textContent));
    await demo.openModel('scripted');
    await demo.useModel();
    await demo.until(() => !/began with/.test(document.querySelector('[aria-label="Unfinished run"]').textContent));
    await demo.click('Discard');
    await demo.until(() => !document.querySelector('[aria-label="Unfinished run"]'));
    await demo.reload();
    await demo.ready();
    assert.equal(await demo.page.$('[aria-label="Unfinished run"]'), null);
    await demo.run();
    await demo.status('Done');
  });
});
