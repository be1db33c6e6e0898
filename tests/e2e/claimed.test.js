import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

const CTA = 'src/sections/CtaSection.tsx';

inEachBrowser('a claim without work', (demoTest) => {
  demoTest('is refused and marked, and accepted after the work is done', async (demo) => {
    await demo.open();
    await demo.begin('claimed');
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    const attempts = await demo.attempts();
    const refused = 'claimed to be done, refused: nothing that counts changed in the project';
    assert.deepEqual(attempts.map((title) => title.includes(refused)), [true, true, false], attempts.join('\n'));
    assert.deepEqual(attempts.map((title) => title.endsWith('← here')), [true, false, false]);

    const refusals = (await demo.timeline()).filter(({ gate, title }) => gate === 'work-done' && title.startsWith('Check failed'));
    assert.match(refusals[0].detail, /Feedback sent to the agent/);
    assert.match(refusals[1].detail, /comments/, 'a comment is no work');

    const after = await demo.files();
    const sources = Object.keys(after).filter((path) => !path.startsWith('.ralph/') && after[path] !== before[path]);
    assert.deepEqual(sources, [CTA]);
    assert.match(after[CTA], /mailto:orders@vibrant\.example/);
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('claimed');
  });
});
