import assert from 'node:assert/strict';
import { indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const CTA = 'src/sections/CtaSection.tsx';
const NOTHING_DONE = 'Check failed: nothing that counts changed in the project';

inEachBrowser('a claim without work', (demoTest) => {
  demoTest('is refused by work-done and accepted after the work is done', async (demo) => {
    await demo.open();
    await demo.begin('claimed');
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    await demo.snapshotAppears('task-3-post');

    const lines = await demo.timeline();
    const at = (label, text) => indexOfLine(lines, label, text);
    const order = [at('Tool', 'Reporting that the work is done'), at('Gate', NOTHING_DONE), at('Tool', `Editing ${CTA}`), lines.findLastIndex(({ label, title }) => label === 'Gate' && title === NOTHING_DONE), at('Gate', 'Check passed: the project changed'), at('Snapshot', 'Saved the project after task 3')];
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
    assert.match(lines[at('Gate', NOTHING_DONE)].detail, /\.ralph\//);
    const failures = lines.filter(({ label, title }) => label === 'Gate' && title.startsWith('Check failed: ')).map(({ gate }) => gate);
    assert.deepEqual(failures, ['work-done', 'work-done'], 'no change, then only a comment');
    assert.match(lines.findLast(({ label, title }) => label === 'Gate' && title === NOTHING_DONE).detail, /comments/);

    const after = await demo.files();
    const sources = Object.keys(after).filter((path) => !path.startsWith('.ralph/') && after[path] !== before[path]);
    assert.deepEqual(sources, [CTA]);
    assert.match(after[CTA], /mailto:orders@vibrant\.example/);
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('claimed');
  });
});
