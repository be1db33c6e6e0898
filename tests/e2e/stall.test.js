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
    const stall = lines.findIndex(({ type }) => type === 'stall-detected');
    assert.match(lines[stall].title, /hero.*MODIFY.*stall 1/);
    const edits = lines.map(({ title }, index) => (title.startsWith('Editing') ? index : -1)).filter((index) => index >= 0);
    assert.equal(edits.length, 3);
    // The list of the story has a link to the stall.
    assert.deepEqual((await demo.attempts()).filter((title) => title.endsWith('← here')).map((title) => /Attempt \d+ · no progress on the section hero/.test(title)), [true]);
    await demo.page.click('.story-card .link');
    await demo.until(() => document.activeElement.parentElement.matches('.attempt[open]') && document.activeElement.textContent.endsWith('← here'));
    assert.ok(edits.every((index) => index < stall), 'the recovery comes after the third edit');
    assert.match(lines[edits[0]].title, /failed/);
    await demo.snapshotAppears('task-3-post');
    assert.deepEqual(await demo.snapshots(), ['task-3-post', 'task-3-pre', 'task-2-post', 'task-2-pre', 'stall-3-recovery']);
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
    assert.match(await demo.outcome(), /no progress.*as it was before the task[^]*Check failed: [^]*Try again[^]*Edit the task[^]*Connect another model/i);
    const lines = await demo.timeline();
    assert.deepEqual(lines.filter(({ type }) => type === 'stall-detected').map(({ title }) => /stall \d/.exec(title)?.[0]), ['stall 1', 'stall 2']);
    await demo.lineAppears('Restored the project as it was before task 3');
    assert.deepEqual((await demo.attempts()).filter((title) => title.endsWith('← here')).map((title) => /no progress.*stall 2/.test(title)), [true]);
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
