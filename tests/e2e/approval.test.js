import assert from 'node:assert/strict';
import { indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const ARCHIVE = 'archive/2019.md';
const IMPRINT = 'src/legal/Imprint.tsx';
const CARD = '[aria-label="The agent asks"]';

inEachBrowser('the story of a question to the user', (demoTest) => {
  demoTest('a question outlives the tab, and another tab answers it with a note', async (demo) => {
    const before = await runToQuestion(demo);
    await demo.status('Waiting for you');
    const lines = await demo.timeline();
    assert.ok(indexOfLine(lines, 'Question', IMPRINT) > 0);
    const denied = lines.filter(({ title }) => title.includes(ARCHIVE) && title.endsWith('(a rule of your configuration)'));
    assert.equal(denied.length, 2, `the tool and the shell: ${JSON.stringify(lines.map(({ title }) => title))}`);
    // Each denial names the rule and its place, as `explainPolicy` does.
    const places = () => [...document.querySelectorAll('.denial-rule')].map(({ textContent }) => textContent);
    await demo.until(() => document.querySelectorAll('.denial-rule').length === 2 && [...document.querySelectorAll('.denial-rule')].every(({ textContent }) => textContent.includes('line')));
    assert.deepEqual(await demo.page.evaluate(places), Array(2).fill('deny: policy[0], .handoff/config.yaml, line 2'));
    await demo.screenshot('denied');
    const waiting = await demo.files();
    assert.deepEqual([waiting[ARCHIVE], waiting[IMPRINT]], [before[ARCHIVE], before[IMPRINT]]);

    await demo.reload();
    await demo.page.waitForSelector(CARD);
    const text = await demo.page.$eval(CARD, (card) => card.textContent);
    assert.match(text, /edit_file` \(src\/legal\/Imprint\.tsx\)[^]*lawyers wrote the imprint[^]*\.handoff\/config\.yaml, line 3/);
    await demo.page.type(`${CARD} input`, 'keep the old number as fax');
    await demo.screenshot('approval');
    await demo.click('Allow', CARD);
    await demo.status('Done');
    const after = await demo.files();
    assert.match(after[IMPRINT], /Phone: 030 1234/);
    assert.match(after['src/App.tsx'], /Fax: 030 1111/, 'the agent follows the note');
    assert.equal(after[ARCHIVE], before[ARCHIVE]);
    assert.equal(await demo.page.$(CARD), null);
    assert.deepEqual(demo.problems, []);
  });

  demoTest('a denied call leaves the file, and the agent does the work without it', async (demo) => {
    const before = await runToQuestion(demo);
    await demo.click('Deny', CARD);
    await demo.status('Done');
    const after = await demo.files();
    assert.equal(after[IMPRINT], before[IMPRINT]);
    assert.match(after['src/App.tsx'], /030 1234/);
  });
});

/** Returns the files before the run. */
async function runToQuestion(demo) {
  await demo.open();
  await demo.begin('asks');
  const files = await demo.files();
  await demo.run();
  await demo.page.waitForSelector(CARD);
  return files;
}
