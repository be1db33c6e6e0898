import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('a hanging model call', (demoTest) => {
  demoTest('is aborted by Stop, and nothing runs afterwards', async (demo) => {
    await demo.open('?delay=0&hang=1');
    await demo.run();
    await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
    await demo.lineAppears('Attempt 1: the agent starts');
    await demo.click('Stop');
    await demo.status('Stopped');
    const lines = await demo.timeline();
    assert.match(lines.at(-1).title, /Stopped by you/);
    const files = await demo.files();
    assert.match(files['src/App.tsx'], /to get started/);
    assert.equal(files['.ralph/plan.tsx'], undefined);
    assert.deepEqual(demo.problems, []);

    await demo.run();
    await demo.status('Done');
    assert.match((await demo.files())['src/App.tsx'], /<HeroSection \/>/);
  });
});
