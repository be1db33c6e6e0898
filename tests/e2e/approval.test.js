import assert from 'node:assert/strict';
import { indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const ARCHIVE = 'archive/2019.md';
const IMPRINT = 'src/legal/Imprint.tsx';
const PLAN_CARD = '[aria-label="The plan waits for you"]';
const CARD = '[aria-label="The agent asks"]';

inEachBrowser('the story of a question to the user', (demoTest, differs) => {
  differs.storage('a question outlives the tab, and another tab answers it with a note', async (demo) => {
    const before = await runToQuestion(demo);
    await demo.status('Waiting for you');
    const lines = await demo.timeline();
    assert.ok(indexOfLine(lines, IMPRINT) > 0);
    const denied = lines.filter(({ title }) => title.includes(ARCHIVE) && title.endsWith('(a rule of your configuration)'));
    assert.equal(denied.length, 2, `the tool and the shell: ${JSON.stringify(lines.map(({ title }) => title))}`);
    // Each denial names the rule and its place, as `explainPolicy` does.
    const places = () => [...document.querySelectorAll('.denial-rule')].map(({ textContent }) => textContent);
    await demo.until(() => document.querySelectorAll('.denial-rule').length === 2 && [...document.querySelectorAll('.denial-rule')].every(({ textContent }) => textContent.includes('line')));
    assert.deepEqual(await demo.page.evaluate(places), Array(2).fill('Denied by .handoff/config.yaml, line 2 (policy[0])'));
    await demo.screenshot('denied');
    const waiting = await demo.files();
    assert.deepEqual([waiting[ARCHIVE], waiting[IMPRINT]], [before[ARCHIVE], before[IMPRINT]]);

    await demo.reload();
    await demo.page.waitForSelector(CARD);
    assert.match((await demo.attempts())[0], /6 actions/, 'the run is shown with its lines');
    const text = await demo.page.$eval(CARD, (card) => card.textContent);
    assert.match(text, /May the agent edit src\/legal\/Imprint\.tsx\?[^]*awyers wrote the imprint[^]*\.handoff\/config\.yaml, line 3/);
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

inEachBrowser('a plan that waits for the user', (demoTest) => {
  demoTest('is approved with the edits of the user, which the run does not ask about again', async (demo) => {
    await runToPlan(demo);
    assert.match(await demo.page.$eval(PLAN_CARD, (card) => card.innerText), /hero[^]*features[^]*cta[^]*Theme organic/);
    await demo.screenshot('plan-card');
    await demo.click('Edit', PLAN_CARD);
    await demo.page.waitForSelector('.plan-editor .cm-content');
    await demo.typeInPlan('A coffee roastery', ' and shop');
    await demo.click('Approve', PLAN_CARD);
    await demo.status('Done');
    assert.equal(await demo.page.evaluate(() => document.activeElement.id), 'task-text', 'the focus is not lost with the card');
    const files = await demo.files();
    assert.match(files['.ralph/plan.tsx'], /A coffee roastery and shop by the sea/);
    assert.match(files['src/App.tsx'], /<HeroSection \/>/);
    assert.deepEqual(demo.problems, []);
  });

  demoTest('is skipped, and the task is done without a plan', async (demo) => {
    await runToPlan(demo);
    // A double click ends the run once.
    await demo.page.locator(`${PLAN_CARD} ::-p-aria([name="Skip"])`).click({ count: 2 });
    await demo.status('Done');
    assert.match((await demo.files())['src/App.tsx'], /<HeroSection \/>/);
    assert.equal(await demo.page.$(PLAN_CARD), null);
    assert.deepEqual(demo.problems, []);
  });
});

async function runToPlan(demo) {
  await demo.open();
  await demo.page.select('#composer-plan', 'ask');
  await demo.run();
  await demo.page.waitForSelector(PLAN_CARD);
  await demo.status('Waiting for you');
}

/** Returns the files before the run. */
async function runToQuestion(demo) {
  await demo.open();
  await demo.begin('asks');
  const files = await demo.files();
  await demo.run();
  await demo.page.waitForSelector(CARD);
  return files;
}
