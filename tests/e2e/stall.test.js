import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('a stall', (demoTest) => {
  demoTest('after three iterations without progress, guidance names section and marker, and the task succeeds', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    const lines = await demo.timeline();
    const stall = lines.findIndex(({ label }) => label === 'Stall');
    assert.match(lines[stall].title, /hero.*MODIFY.*stall 1/);
    const edits = lines.map(({ title }, index) => (title.startsWith('Editing') ? index : -1)).filter((index) => index >= 0);
    assert.equal(edits.length, 3);
    assert.ok(edits.every((index) => index < stall), 'the recovery comes after the third edit');
    assert.match(lines[edits[0]].title, /failed/);
    const saved = lines.findIndex(({ title }) => title.startsWith('Saved the project when task 3 got stuck'));
    assert.ok(saved >= 0 && saved < stall, 'a snapshot is saved before the recovery');
    await demo.snapshotAppears('task-3-post');
    assert.deepEqual(await demo.snapshots(), ['task-3-post', 'stall-3-recovery', 'task-3-pre', 'task-2-post', 'task-2-pre']);
    const after = await demo.files();
    assert.deepEqual(changed(before, after), ['src/sections/HeroSection.tsx']);
    assert.deepEqual(demo.problems, []);
  });

  demoTest('the second stall ends the task and rolls the project back', async (demo) => {
    await demo.open();
    await demo.begin('rolled-back');
    const before = await demo.files();
    await demo.run();
    await demo.status('Stalled');
    assert.match(await demo.page.$eval('[data-testid=outcome]', (outcome) => outcome.textContent), /no progress.*as it was before the task/i);
    const lines = await demo.timeline();
    assert.deepEqual(lines.filter(({ label }) => label === 'Stall').map(({ title }) => /stall \d/.exec(title)?.[0]), ['stall 1', 'stall 2']);
    assert.ok(lines.some(({ title }) => title.startsWith('Restored the project as it was before task 3')));
    assert.ok(lines.some(({ title }) => title.startsWith('Writing src/sections/FeaturesSection.tsx')), 'there are changes to roll back');
    const after = await demo.files();
    assert.deepEqual(changed(before, after), []);
    assert.equal(after['.ralph/plan.tsx'], before['.ralph/plan.tsx']);
    assert.equal(after['.ralph/status.txt'].trim(), 'failed');
    assert.match(after['.ralph/feedback.md'], /Task 3 failed[^]*task-3-pre/);
    assert.ok(!(await demo.snapshots()).includes('task-3-post'));
    await demo.screenshot('stalled');
    assert.deepEqual(demo.problems, []);
  });
});

/** Added, deleted and changed sources. */
function changed(before, after) {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => !path.startsWith('.ralph/'));
  return paths.filter((path) => before[path] !== after[path]);
}
