import assert from 'node:assert/strict';
import { hangingAt } from './demo.js';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the plan', (demoTest, differs) => {
  differs.keyboard('is edited with the keyboard, with diagnostics and quick fixes', async (demo) => {
    await demo.open();
    await demo.tabTo(() => document.activeElement.id === 'tab-preview');
    for (let tab = 0; tab < 3; tab++) await demo.page.keyboard.press('ArrowRight');
    await demo.tabTo(() => document.activeElement.textContent === 'Write a plan yourself');
    // In Firefox, the Enter key sometimes has no effect here.
    await demo.page.evaluate(() => document.activeElement.click());
    await demo.page.waitForSelector('.plan-editor .cm-content');
    await says(demo, 'No problems');

    await demo.page.waitForSelector('[data-kind=theme][data-built=missing]');
    await demo.tabTo(() => document.activeElement.matches('.plan-editor .cm-content'));
    await demo.typeInPlan('gumdrop="hero', 's');
    await says(demo, '1 error');
    await demo.until(() => document.querySelector('.cm-lintRange-error') && document.querySelector('.cm-lint-marker-error'));
    assert.match(await demo.page.$eval('[data-problem="valid-gumdrops"]', (row) => row.textContent), /5:16.*heros.*Change to hero/);
    assert.equal(await built(demo, 'heros'), null, 'the outline follows the text');
    assert.doesNotMatch((await demo.files())['.ralph/plan.tsx'], /heros/);

    // From the list to the text, and to the suggestion.
    await demo.tabTo(() => document.activeElement.matches('[data-problem="valid-gumdrops"] .problem-place'));
    await demo.page.keyboard.press('Enter');
    await demo.until(() => document.activeElement.matches('.plan-editor .cm-content'));
    await demo.press('Control+.');
    await says(demo, 'No problems');
    await demo.until(() => !document.querySelector('.cm-lintRange-error, .cm-lint-marker-error'));

    await demo.typeInPlan('gumdrop="cta', '-x');
    await demo.tabTo(() => document.activeElement.textContent === 'Change to cta');
    await demo.page.keyboard.press('Enter');
    await says(demo, 'No problems');
    await demo.typeInPlan('description="', 'Sells tea. ');
    await demo.until(() => document.querySelector('[data-testid=plan-state]').textContent === 'not saved');
    await demo.press('Control+s');
    await demo.until(() => document.querySelector('[data-testid=plan-state]').textContent === 'saved');
    assert.match((await demo.files())['.ralph/plan.tsx'], /description="Sells tea\. What it is for"/);
    assert.deepEqual(demo.problems, []);
  });

  demoTest('follows the agent, but keeps unsaved changes', async (demo) => {
    await demo.open(hangingAt('I build the page'));
    await demo.show('plan');
    await demo.run();
    await demo.lineAppears('Writing src/sections/CtaSection.tsx');
    await demo.until(() => document.querySelector('[data-testid=plan-state]')?.textContent.startsWith('read only'));
    await demo.click('Stop');
    await demo.status('Stopped');
    await demo.click('Continue');
    await demo.status('Done');
    await demo.openPlan();
    await demo.until(() => document.querySelector('.plan-editor .cm-content')?.textContent.includes('name="Driftwood"'));
    for (const gumdrop of ['hero', 'features', 'cta']) await isBuilt(demo, gumdrop);
    assert.match(await demo.page.$eval('.plan-card .build-context', (context) => context.textContent), /Theme applied.*--seed 45[^]*hero example found/);
    await demo.typeInPlan('name="', 'Mine, ');
    await demo.run('Add a pricing section');
    await demo.snapshotAppears('task-2-post');
    await demo.status('Done');
    await demo.until(() => document.querySelector('#panel-plan [role=alert]')?.textContent.includes('The file has changed'));
    assert.match(await demo.planText(), /name="Mine, Driftwood"/);
    assert.match((await demo.files())['.ralph/plan.tsx'], /name="Driftwood"[^]*"pricing"/);
    await demo.click('Take the file', '#panel-plan');
    await demo.until(() => document.querySelector('[data-name="pricing"] .marker-add') && document.querySelector('.plan-editor .cm-content').textContent.includes('TASK-2 [ADD]'));
    await isBuilt(demo, 'pricing');
    assert.doesNotMatch(await demo.planText(), /Mine/);
    assert.equal(await demo.page.$('#panel-plan [role=alert]'), null);
    await demo.screenshot('plan');
    await demo.openFile('src/App.tsx');
    await demo.openFile('.ralph/plan.tsx');
    await demo.until(() => document.querySelector('#tab-plan').getAttribute('aria-selected') === 'true');
    assert.deepEqual(demo.problems, []);
  });
});

const says = (demo, text) => demo.until((text) => document.querySelector('[data-testid=plan-problems]')?.textContent.includes(text), text);

const isBuilt = (demo, gumdrop) => demo.until((gumdrop) => document.querySelector(`[data-kind="section"][data-name="${gumdrop}"][data-built="implemented"]`), gumdrop);

/** The build state of a section in the outline, or null. */
const built = (demo, gumdrop) => demo.page.$eval(`[data-kind="section"][data-name="${gumdrop}"]`, (item) => item.dataset.built ?? null);
