import assert from 'node:assert/strict';
import { indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const SECTIONS = ['src/sections/CtaSection.tsx', 'src/sections/FeaturesSection.tsx', 'src/sections/HeroSection.tsx'];

inEachBrowser('the stories', (demoTest, differs) => {
  differs.loading('a first visitor plays the landing page with one key: a plan and a claim are refused, checks fail, then pass', async (demo) => {
    await demo.open();
    assert.equal((await demo.page.$$('.story-option')).length, 8);
    await demo.screenshot('gallery');
    await demo.tabTo(() => document.activeElement.dataset.story === 'landing', { back: true });
    await demo.page.keyboard.press('Enter');
    await demo.status('Done');
    const lines = await demo.timeline();
    const at = (text, after) => indexOfLine(lines, text, after);

    const claimed = at('Reporting that the work is done');
    const refused = at('heros', claimed);
    assert.match(`${lines[refused].title} ${lines[refused].detail}`, /valid-gumdrops[^]*\bhero\b/);
    assert.ok(!lines.slice(0, refused).some((line) => line.type === 'gate-checked'), 'no gate may run on an unchecked plan');
    const valid = at('The plan is valid', refused);
    assert.match(await demo.page.$eval('.plan-card', (card) => card.textContent), /3 sections[^]*Theme applied/);
    assert.deepEqual(await demo.page.$$eval('.plan-card .build-section.tone-good', (sections) => sections.map(({ dataset }) => dataset.gumdrop)), ['hero', 'features', 'cta']);
    const scaffold = at('Check failed: the app still shows the template', Math.max(valid, at('Building', refused)));
    const color = at('Check failed: some colors do not come from the theme', scaffold);
    assert.match(lines[color].detail, /HeroSection\.tsx/);
    at('Finishing', color);
    assert.match(await demo.outcome(), /1 of 1 requirement is not settled/);
    for (const [gate, verdict] of Object.entries(await demo.gates())) assert.ok(verdict === 'pass' || verdict === 'warn', `${gate}: ${verdict}`);
    await demo.snapshotAppears('task-1-post');

    const files = await demo.files();
    for (const path of SECTIONS) assert.match(files[path], /export function \w+Section/, path);
    assert.doesNotMatch(files['src/sections/HeroSection.tsx'], /#[0-9a-f]{6}/);
    assert.match(files['src/index.css'], /--font-serif: "Lora"[^]*\.dark \{\n {2}--background: oklch/);
    assert.equal(files['.ralph/status.txt'].trim(), 'complete');
    await demo.previewHas('Coffee that tastes of where it grew');
    await demo.screenshot('story');
    await demo.page.locator('[data-testid=outcome] .evidence button').click();
    await demo.until(() => document.querySelector('#panel-code:not([hidden])')?.textContent.includes('HeroSection'));
    assert.deepEqual(demo.problems, []);
  });

  demoTest('the script refuses what it cannot play, plays its suggestions, and a story asks before it replaces them', async (demo) => {
    await demo.open();
    await demo.write('Make a todo app with drag and drop');
    await demo.until(() => /can only play this story/.test(document.querySelector('.script-refusal')?.textContent));
    await demo.screenshot('refused');
    assert.equal(await demo.page.$eval('.composer .primary', (button) => button.disabled), true);
    await demo.click('Play it', '.script-refusal');
    await demo.status('Done');
    assert.equal(await demo.page.$eval('.bubble', (bubble) => bubble.textContent), 'Build a landing page for Driftwood, a small coffee roastery by the sea.');
    await demo.until(() => document.querySelector('#task-text').value === 'Make a todo app with drag and drop');
    await demo.snapshotAppears('task-1-post');
    const before = await demo.files();
    assert.match(before['src/App.tsx'], /<HeroSection \/>/);

    await demo.write('make it dark');
    await demo.until(() => document.querySelector('.script-refusal'));
    // The chips move what is above them.
    await demo.parsedAs('Make it dark');
    assert.match(await demo.page.$eval('.script-refusal', (note) => note.textContent), /Play “Add a pricing section”/);
    assert.deepEqual(await demo.page.$$eval('.composer .suggestions .chip', (chips) => chips.map((chip) => chip.textContent)), ['Add a pricing section', 'Add a FAQ section', 'Add testimonials']);
    await demo.click('Add a pricing section', '.composer .suggestions');
    await demo.run();
    await demo.snapshotAppears('task-2-post');
    await demo.status('Done');
    const after = await demo.files();
    assert.match(after['src/App.tsx'], /<PricingSection \/>/);
    assert.match(after['.ralph/plan.tsx'], /TASK-2 \[ADD\]/);
    for (const path of SECTIONS) assert.equal(after[path], before[path], path);

    await demo.visit(`${demo.address}?delay=0&story=claimed`);
    await demo.page.waitForSelector('dialog[open] .danger');
    await demo.screenshot('replace');
    await demo.click('Cancel', 'dialog[open]');
    assert.deepEqual(await demo.files(), after);

    // A new project has no story. If nothing is lost, no dialog asks, and a story shows its page.
    const menu = async (name) => (await demo.page.click('.project-menu'), await demo.click(name, '.menu:popover-open'));
    await menu('New project');
    await demo.page.waitForSelector('dialog[open] ::-p-aria([name="Download the files"])');
    await demo.click('New project', 'dialog[open]');
    await demo.until(() => document.querySelector('.project-name').textContent === 'New project' && document.querySelector('.story-gallery') && !document.querySelector('.story-card, dialog[open]'));
    await demo.reload();
    await demo.ready();
    assert.equal(await demo.page.$eval('#task-text', (field) => field.value), '');
    await demo.show('checks');
    await menu('Stories');
    await demo.page.click('dialog[open] [data-story=claimed]');
    await demo.until(() => !document.querySelector('dialog[open]') && document.querySelectorAll('.thread-list > .attempt').length === 3);
    await demo.status('Done');
    await demo.page.waitForSelector('#panel-preview:not([hidden])');
    await demo.page.waitForSelector('.story-card');
    assert.deepEqual(demo.problems, []);
  });
});
