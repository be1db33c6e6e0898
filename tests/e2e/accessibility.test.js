import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { inEachBrowser } from './fixture.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

inEachBrowser('accessibility', (demoTest) => {
  for (const scheme of ['light', 'dark']) {
    demoTest(`axe finds no violation in a run, the plan and the dialogs, ${scheme}`, async (demo) => {
      await open(demo, '?delay=0', scheme);
      await check(demo, 'ready');

      await demo.page.click('.model-button');
      await check(demo, 'models');
      await demo.page.click('.provider input[value=openai]');
      await demo.page.click('.amounts summary');
      await check(demo, 'settings of a model');
      await demo.page.keyboard.press('Escape');
      await demo.until(() => document.activeElement.matches('.model-button'));

      await demo.run();
      await demo.status('Done');
      await check(demo, 'done');
      await demo.page.$$eval('details.entry', (entries) => entries.forEach((entry) => (entry.open = true)));
      await demo.page.$eval('.timeline', (list) => list.scrollTo({ top: 0 }));
      await check(demo, 'details');

      await demo.click('Changes of task-1-post');
      await demo.page.waitForSelector('dialog[open] .cm-mergeView');
      await check(demo, 'changes');
      await demo.screenshot(`${scheme}-changes`);
      await demo.click('Close', 'dialog[open]');
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
      await demo.screenshot(`${scheme}-plan`);
      await demo.page.click('.plan-problem .chip');
      await demo.until(() => document.querySelector('[data-testid=plan-state]').textContent === 'saved');

      await demo.page.click('#tab-shell');
      await demo.execute('theme lst');
      await check(demo, 'shell');

      await demo.click('Roll back to task-1-pre');
      await demo.page.waitForSelector('dialog[open] .touched .cm-mergeView');
      await check(demo, 'dialog');
      await demo.screenshot(`${scheme}-dialog`);
    });

    demoTest(`axe finds no violation in the task editor, questions, verdicts, specs and a stall, ${scheme}`, async (demo) => {
      await open(demo, '?delay=60', scheme);
      await demo.page.select('.story-choice select', 'converted');
      await demo.page.waitForSelector('dialog[open]');
      await check(demo, 'story');
      await demo.click('Start the story', 'dialog[open]');
      await demo.until(() => !document.querySelector('dialog[open]'));
      await check(demo, 'structured task');

      await demo.click('Edit the task');
      await demo.click('Add an item to preserve');
      await demo.until(() => document.querySelectorAll('.preserve .scope-line').length === 2);
      await check(demo, 'edited task');
      await demo.screenshot(`${scheme}-editor`);
      await demo.click('Parse the message again');
      await demo.write('some of the drinks should be for the night');
      await demo.page.waitForSelector('.questions button');
      await check(demo, 'questions');
      await demo.screenshot(`${scheme}-questions`);

      await demo.openPlan();
      await demo.run('Add 2 more drinks for nighttime. Refine the ad copy.');
      await demo.lineAppears('Writing src/data/flavors.ts');
      await demo.click('Stop');
      await demo.status('Stopped');
      await demo.until(() => document.querySelector('.marker[data-verdict="fail"] .marker-reason'));
      await check(demo, 'verdicts');
      await demo.screenshot(`${scheme}-verdicts`);

      await demo.begin('wrong-plan');
      await demo.click('New spec');
      await check(demo, 'new spec');
      await demo.click('Cancel', '.new-spec');
      await demo.click('Run all');
      await demo.lineAppears('the verifier starts');
      await check(demo, 'running spec');
      await demo.status('Done');
      await demo.page.$$eval('.spec-detail details', (documents) => documents.forEach((document) => (document.open = true)));
      await check(demo, 'specs');
      await demo.screenshot(`${scheme}-specs`);

      await demo.begin('rolled-back');
      await demo.run();
      await demo.page.waitForSelector('.task-panel .steer');
      await check(demo, 'running');
      await demo.status('Stalled');
      await check(demo, 'stalled');
    });

    demoTest(`axe finds no violation in the chunks of a spec, ${scheme}`, async (demo) => {
      await open(demo, '?delay=0', scheme);
      await demo.page.click('#tab-chunks');
      await check(demo, 'no spec');
      await demo.begin('checkout');
      await demo.page.click('.chunk-settings summary');
      await check(demo, 'spec and settings');
      await demo.click('Propose chunks');
      await demo.page.waitForSelector('.card');
      await check(demo, 'cards');
      await demo.screenshot(`${scheme}-chunk-cards`);
      await demo.click('Approve and run');
      await demo.status('Blocked');
      for (const tab of ['prompt', 'difference', 'verification', 'issues', 'summary']) {
        await demo.page.click(`#attempt-tab-${tab}`);
        await check(demo, tab);
        if (tab === 'issues') await demo.screenshot(`${scheme}-chunk-issues`);
      }
    });
  }
});

async function open(demo, query, scheme) {
  await demo.open(query);
  await demo.page.evaluate((scheme) => {
    const toggle = document.querySelector(`[aria-label="Use the ${scheme} colors"]`);
    toggle?.click();
  }, scheme);
  await demo.until((scheme) => document.querySelector('[aria-label^="Use the"]').getAttribute('aria-label') !== `Use the ${scheme} colors`, scheme);
  await demo.page.evaluate(axe);
}

/** Excludes the preview, which shows the project's page. */
async function check(demo, state) {
  const violations = await demo.page.evaluate(async () => {
    const { violations } = await globalThis.axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'], iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) => `${target} ${any.map(({ message }) => message)}`).join(' | ')}`);
  });
  assert.deepEqual(violations, [], state);
}
