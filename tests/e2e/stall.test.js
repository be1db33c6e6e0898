import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('a stall', (demoTest) => {
  demoTest('case 147: three iterations without progress are told so, by section and marker, and the task ends well', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    const lines = await demo.timeline();
    const stall = lines.findIndex(({ label }) => label === 'Stall');
    assert.match(lines[stall].title, /hero.*MODIFY.*recovery 1/);
    const edits = lines.map(({ title }, index) => (title.startsWith('edit_file') ? index : -1)).filter((index) => index >= 0);
    assert.equal(edits.length, 3);
    assert.ok(edits.every((index) => index < stall), 'the harness steps in after the third');
    assert.match(lines[edits[0]].title, /refused/);
    const saved = lines.findIndex(({ title }) => title.startsWith('Saved stall-3-recovery'));
    assert.ok(saved >= 0 && saved < stall, 'what there was is saved first');
    await demo.snapshotAppears('task-3-post');
    assert.deepEqual(await demo.snapshots(), ['task-3-post', 'stall-3-recovery', 'task-3-pre', 'task-2-post', 'task-2-pre']);
    const after = await demo.files();
    assert.deepEqual(changed(before, after), ['src/sections/HeroSection.tsx']);
    assert.deepEqual(demo.problems, []);
  });

  demoTest('case 149: the second recovery ends the task, and the project is as it was', async (demo) => {
    await demo.open();
    await demo.begin('rolled-back');
    const before = await demo.files();
    await demo.run();
    await demo.status('Stalled');
    assert.match(await demo.page.$eval('[data-testid=outcome]', (outcome) => outcome.textContent), /made no progress.*Task 3 failed after 2 stall recoveries\. Project rolled back to task-3-pre/);
    const lines = await demo.timeline();
    assert.deepEqual(lines.filter(({ label }) => label === 'Stall').map(({ title }) => /recovery \d/.exec(title)?.[0]), ['recovery 1', 'recovery 2']);
    assert.ok(lines.some(({ title }) => title.startsWith('Rolled back to task-3-pre')));
    assert.ok(lines.some(({ title }) => title.startsWith('write_file src/sections/FeaturesSection.tsx')), 'there was something to roll back');
    const after = await demo.files();
    assert.deepEqual(changed(before, after), []);
    assert.equal(after['.ralph/plan.tsx'], before['.ralph/plan.tsx']);
    assert.equal(after['.ralph/status.txt'].trim(), 'failed');
    assert.equal(
      after['.ralph/feedback.md'],
      'Task 3 failed after 2 stall recoveries.\nProject rolled back to task-3-pre.\nConsider simplifying the task or breaking it into smaller requests.\n',
    );
    assert.ok(!(await demo.snapshots()).includes('task-3-post'));
    await demo.screenshot('stalled');
    assert.deepEqual(demo.problems, []);
  });
});

/** The sources that came, went or changed. */
function changed(before, after) {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => !path.startsWith('.ralph/'));
  return paths.filter((path) => before[path] !== after[path]);
}
