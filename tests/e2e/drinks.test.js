import assert from 'node:assert/strict';
import { hangingAt, indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const FLAVORS = 'src/data/flavors.ts';
const HERO = 'src/sections/HeroSection.tsx';
/** The call after the drinks are converted hangs. */
const CONVERTED = hangingAt('I convert four of them');

inEachBrowser('the story of the converted drinks', (demoTest, differs) => {
  demoTest('converted drinks fail the scope gate, then two are added', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    assert.deepEqual(await demo.snapshots(), ['task-2-post', 'task-2-pre']);
    const before = await demo.files();
    assert.equal(names(before).length, 8);

    await demo.run();
    await demo.status('Done');
    const requirements = (await demo.understood()).slice(0, 4);
    for (const [at, expected] of [/^MODIFY .*ad copy/, /^FIX .*moods/, /^ADD .*drinks.* \(2 new, keep all 8\)/, /^PRESERVE .*8 .*drinks/].entries()) assert.match(requirements[at], expected);
    await demo.snapshotAppears('task-3-post');

    const lines = await demo.timeline();
    const at = (text) => indexOfLine(lines, text);
    const order = [at('The plan is valid'), at('Building: the plan is valid'), at('Check failed: the change does not match the request'), at('Check passed: the change matches the request')];
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
    const refusal = lines[at('Check failed: the change does not match the request')].detail;
    assert.match(refusal, /FAIL ADD [^\n]*features[^\n]*10 [^\n]*8 [^\n]*src\/data\/flavors\.ts:\d+/);
    assert.match(refusal, /FAIL PRESERVED [^\n]*features[^\n]*"Arctic Mint", "Cherry Bolt", "Peach Pulse", "Grape Charge"/);
    assert.match(refusal, /WARN MODIFY [^\n]*cta/);
    assert.equal((await demo.gates()).scope, 'pass');

    const after = await demo.files();
    assert.deepEqual(names(after), [...names(before), 'Moonlit Calm', 'Deep Rest'], 'the eight unchanged, and two new ones');
    assert.notEqual(after[HERO], before[HERO]);
    assert.equal(after['src/sections/FaqSection.tsx'], before['src/sections/FaqSection.tsx']);
    assert.match(after['.ralph/task.md'], /Type: mutation\n.*Previous: task-2-post[^]*- \[ADD\] [^\n]*drinks[^\n]*8[^\n]*10/s);
    assert.match(after['.ralph/task-history.md'], /^- Task 2: Redesigned/m);
    assert.deepEqual(await demo.snapshots(), ['task-3-post', 'task-3-pre', 'task-2-post', 'task-2-pre']);
    await demo.openPlan();
    for (const [section, marker] of [['hero', 'MODIFY'], ['features', 'ADD'], ['features', 'PRESERVED'], ['faq', 'NO CHANGES'], ['cta', 'MODIFY']]) await judged(demo, section, marker, 'pass');
    assert.equal(await demo.page.$('.marker-reason'), null, 'passed markers have no reason');
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('drinks');
  });

  demoTest('each marker of the plan has its verdict', async (demo) => {
    await demo.open(CONVERTED);
    await demo.begin('converted');
    await demo.openPlan();
    assert.equal(await demo.page.$('[data-verdict]'), null, 'there are no verdicts before the task');
    await demo.run();
    await hangs(demo);
    await demo.click('Stop');
    await demo.status('Stopped');
    await judged(demo, 'features', 'ADD', 'fail');
    await judged(demo, 'features', 'PRESERVED', 'fail');
    await judged(demo, 'faq', 'NO CHANGES', 'pass');
    const reason = await demo.page.$eval('[data-name="features"] [data-marker="PRESERVED"] .marker-reason', (line) => line.textContent);
    assert.match(reason, /8 .*"Arctic Mint"/);
    await demo.screenshot('scope');
  });

  differs.storage('the story continues after a reload', async (demo) => {
    await demo.open(CONVERTED);
    await demo.begin('converted');
    await demo.run();
    await hangs(demo);
    await demo.setQuery('?delay=0');
    await demo.reload();
    await demo.page.waitForSelector('[aria-label="Unfinished run"]');
    await demo.click('Resume');
    await demo.lineAppears('Resumed');
    await demo.status('Done');
    assert.equal(names(await demo.files()).length, 10);
  });
});

async function hangs(demo) {
  await demo.lineAppears(`Writing ${FLAVORS}`);
  await demo.waitsForModel();
}

const names = (files) => [...files[FLAVORS].matchAll(/name: '(.*?)'/g)].map((match) => match[1]);

const judged = (demo, section, marker, verdict) =>
  demo.until((section, marker, verdict) => document.querySelector(`[data-kind="section"][data-name="${section}"] [data-marker="${marker}"][data-verdict="${verdict}"]`), section, marker, verdict);
