import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { withModel } from './chat-server.js';
import { hangingAt } from './demo.js';
import { inEachBrowser } from './fixture.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

inEachBrowser('accessibility', (demoTest) => {
  demoTest('axe finds no violation in a run, the plan and the dialogs', async (demo) => {
    await open(demo, '?delay=0');
    await check(demo, 'ready');

    await demo.page.click('.model-button');
    await demo.page.waitForSelector('.model-fields');
    await check(demo, 'models');
    await demo.page.click('.provider input[value=openai]');
    await demo.page.click('.amounts summary');
    await check(demo, 'settings of a model');
    await demo.page.keyboard.press('Escape');
    await demo.until(() => document.activeElement.matches('.model-button'));

    await demo.run();
    await demo.status('Done');
    await check(demo, 'done');
    await demo.page.$$eval('.thread details', (all) => all.forEach((one) => (one.open = true)));
    await demo.page.$eval('.thread-list', (list) => list.scrollTo({ top: 0 }));
    await check(demo, 'details');

    await demo.show('changes');
    await demo.page.waitForSelector('#panel-changes .cm-content');
    await check(demo, 'changes');
    await shoot(demo, 'changes');
    await demo.openFile('src/App.tsx');
    await demo.page.waitForSelector('#panel-code .cm-content');
    await check(demo, 'code');
    await shoot(demo, 'code');
    await demo.openPlan();
    await check(demo, 'plan');
    await demo.typeInPlan('gumdrop="hero', 's');
    await demo.until(() => document.querySelector('[data-problem="valid-gumdrops"]') && document.querySelector('.cm-lintRange-error'));
    await demo.page.hover('.cm-lintRange-error');
    await demo.page.waitForSelector('.cm-tooltip');
    await check(demo, 'plan with an error');
    await demo.press('Control+f');
    await demo.page.waitForSelector('.cm-search');
    await check(demo, 'plan with its search');
    await demo.page.keyboard.press('Escape');
    await shoot(demo, 'plan');
    await demo.page.click('.plan-problem .chip');
    await demo.until(() => document.querySelector('[data-testid=plan-state]').textContent === 'saved');

    await demo.show('shell');
    await demo.execute('theme lst');
    await check(demo, 'shell');

    await demo.restore('the start of the project');
    await check(demo, 'versions');
    await shoot(demo, 'versions');
  });

  demoTest('axe finds no violation in the task editor, questions, verdicts, specs and a stall', async (demo) => {
    await open(demo, hangingAt('I convert four of them'));
    await check(demo, 'stories');
    await demo.begin('converted');
    await demo.page.evaluate(axe);
    await check(demo, 'structured task');

    await demo.parsedAs('ADD');
    await demo.click('Edit the task');
    await demo.click('Add an item to preserve');
    await demo.until(() => document.querySelectorAll('.preserve .scope-line').length === 2);
    await check(demo, 'edited task');
    await shoot(demo, 'editor');
    await demo.click('Parse the message again');
    await demo.write('some of the drinks should be for the night');
    await demo.page.waitForSelector('.script-refusal');
    await check(demo, 'a task that the script refuses');
    await demo.openPlan();
    await demo.run('Refine ad copy! Less generic, more adult, less Monster Energy. Two moods not working. Add 2 more drinks for nighttime.');
    await demo.lineAppears('Writing src/data/flavors.ts');
    await demo.waitsForModel();
    await demo.click('Stop');
    await demo.status('Stopped');
    await demo.until(() => document.querySelector('.marker[data-verdict="fail"] .marker-reason'));
    await check(demo, 'verdicts');
    await shoot(demo, 'verdicts');

    await withModel({ key: 'sk-not-a-real-one', turns: [] }, async (model) => {
      await demo.chooseModel({ address: model.address, key: 'sk-not-a-real-one' });
      await demo.run('some of the drinks should be for the night');
      await demo.page.waitForSelector('.questions input');
      await check(demo, 'questions');
      await shoot(demo, 'questions');
      await demo.openModel('scripted');
      await demo.useModel();
    });

    await demo.setQuery(hangingAt('', 'verifier'));
    await demo.begin('wrong-plan');
    await demo.page.evaluate(axe);
    await demo.click('New spec');
    await demo.page.waitForSelector('.studio');
    await check(demo, 'new spec');
    await demo.click('Discard', '.studio');
    await demo.click('Run', '.spec-head');
    await demo.lineAppears('verifier');
    await demo.waitsForModel();
    await check(demo, 'running spec');
    await goOn(demo);
    await demo.status('Done');
    await demo.page.$$eval('.spec-detail details', (documents) => documents.forEach((document) => (document.open = true)));
    await check(demo, 'specs');
    await shoot(demo, 'specs');

    await demo.setQuery(hangingAt('The package is missing'));
    await demo.begin('rolled-back');
    await demo.page.evaluate(axe);
    await demo.run();
    await demo.lineAppears('The package is missing');
    await demo.waitsForModel();
    await check(demo, 'running');
    await goOn(demo);
    await demo.status('Stalled');
    await check(demo, 'stalled');
  });

  demoTest('axe finds no violation in the studio and the steps of a spec', async (demo) => {
    await open(demo, '?delay=0');
    await demo.show('specs');
    await check(demo, 'no spec');
    await demo.begin('checkout');
    await demo.page.evaluate(axe);
    await demo.click('Continue', '.studio');
    await demo.page.waitForSelector('.studio-question');
    await demo.page.locator('.studio-other input').click();
    await check(demo, 'questions');
    await demo.click('Skip all');
    await demo.page.waitForSelector('.studio-review');
    await check(demo, 'review');
    await demo.click('Split into steps');
    await demo.page.waitForSelector('.step-card');
    await demo.page.click('.step-settings summary');
    await demo.page.click('.step-card summary');
    await demo.page.waitForSelector('.step-fields');
    await check(demo, 'steps');
    await shoot(demo, 'steps');
    await demo.click('Approve and run');
    await demo.status('Blocked');
    for (const tab of ['prompt', 'difference', 'verification', 'issues', 'summary']) {
      await demo.page.click(`#attempt-tab-${tab}`);
      await check(demo, tab);
      if (tab === 'issues') await shoot(demo, 'issues');
    }
  });
});

/** Ends a call of the model that hangs. */
async function goOn(demo) {
  await demo.click('Stop');
  await demo.click('Continue', '[data-testid=outcome]');
}

async function open(demo, query) {
  await demo.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await demo.open(query);
  await demo.page.evaluate(axe);
}

/** Checks both schemes. Excludes the preview, which shows the project's page. */
async function check(demo, state) {
  for (const scheme of ['light', 'dark']) {
    const violations = await demo.page.evaluate(async () => {
      const { violations } = await globalThis.axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'], iframes: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) => `${target} ${any.map(({ message }) => message)}`).join(' | ')}`);
    });
    assert.deepEqual(violations, [], `${state}, ${scheme}`);
    await switchScheme(demo);
  }
}

/** A script can click the button below an open dialog. */
const switchScheme = (demo) => demo.page.evaluate(async () => {
  document.querySelector('[aria-label^="Use the"]').click();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
});

/** A screenshot in each scheme. */
async function shoot(demo, what) {
  for (const scheme of ['light', 'dark']) {
    await demo.screenshot(`${scheme}-${what}`);
    await switchScheme(demo);
  }
}
