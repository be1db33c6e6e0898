import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the changes of a snapshot', (demoTest) => {
  demoTest('are shown file by file', async (demo) => {
    await demo.openAndRun();
    await demo.click('Changes of task-1-post');
    await shown(demo, 'src/App.tsx');
    assert.deepEqual(await sides(demo), ['task-1-pre', 'task-1-post']);
    const [before, after] = await demo.page.$$eval('.cm-mergeView .cm-content', (texts) => texts.map((text) => text.textContent));
    assert.ok(before.includes('<h1>My app</h1>') && !before.includes('HeroSection'), before);
    assert.ok(after.includes('<HeroSection />') && !after.includes('My app'), after);
    assert.match(await words(demo), /^\d+ lines added, 3 lines removed$/);
    const marks = await demo.page.$$eval('.change', (changes) => Object.fromEntries(changes.map((change) => [change.dataset.path, change.querySelector('[aria-hidden]').textContent])));
    assert.deepEqual([marks['src/App.tsx'], marks['src/sections/HeroSection.tsx']], ['M', 'A']);
  });

  demoTest('are separate from the changes since', async (demo) => {
    await demo.openAndRun();
    await demo.click('Changes of task-1-post');
    await demo.click('Changes since this snapshot', 'dialog[open]');
    await demo.until(() => document.querySelector('dialog[open] .empty'));
    await demo.click('Close', 'dialog[open]');

    await demo.click('Changes of task-1-pre');
    await demo.page.waitForSelector('dialog[open] input');
    assert.ok(await demo.page.$eval('dialog[open] input', (input) => input.disabled), 'the first snapshot has no earlier one');
    await shown(demo, 'src/App.tsx');
    assert.deepEqual(await sides(demo), ['task-1-pre', 'the files now']);
  });

  demoTest('can be read with the keyboard', async (demo) => {
    await demo.openAndRun();
    const { keyboard } = demo.page;
    await (await demo.page.waitForSelector('[aria-label="Changes of task-1-post"]')).focus();
    await keyboard.press('Enter');
    await shown(demo, 'src/App.tsx');
    await (await demo.page.waitForSelector('.change-list')).focus();
    await keyboard.press('ArrowDown');
    await shown(demo, 'src/index.css');
    assert.equal(await demo.page.$eval('.change-list', (list) => document.getElementById(list.getAttribute('aria-activedescendant')).dataset.path), 'src/index.css');
    await keyboard.press('End');
    await shown(demo, 'src/sections/HeroSection.tsx');
    await keyboard.press('Tab');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'src/sections/HeroSection.tsx, task-1-pre');
    await keyboard.press('Tab');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'src/sections/HeroSection.tsx, task-1-post');
    await keyboard.press('Escape');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'Changes of task-1-post');
  });

  demoTest('lead to a rollback with a dry run and undo', async (demo) => {
    await demo.openAndRun();
    const built = await demo.files();
    await demo.click('Changes of task-1-pre');
    await shown(demo, 'src/App.tsx');
    await demo.click('Roll back …', 'dialog[open]');
    await shown(demo, 'src/App.tsx');
    assert.deepEqual(await sides(demo), ['now', 'task-1-pre']);
    const titles = await demo.page.$$eval('.change-group', (groups) => groups.map((group) => group.textContent));
    assert.match(titles.join(), /^\d+ files restored,\d+ files deleted$/);
    assert.deepEqual(await demo.files(), built, 'nothing changes before the confirmation');
    await demo.click('Roll back', 'dialog[open]');
    await demo.until(() => document.querySelector('.rollback-result'));
    assert.match((await demo.files())['src/App.tsx'], /My app/);
    await demo.click('Undo');
    await demo.until(() => !document.querySelector('.rollback-result'));
    assert.deepEqual(await demo.files(), built);
  });

  demoTest('fit a narrow window', async (demo) => {
    await demo.page.setViewport({ width: 420, height: 800 });
    await demo.openAndRun();
    await demo.click('Changes of task-1-post');
    await demo.page.waitForSelector('dialog[open] .cm-deletedChunk');
    assert.equal(await demo.page.$eval('dialog[open]', (dialog) => dialog.scrollWidth > dialog.clientWidth), false);
    await demo.screenshot('narrow-changes');
  });
});

/** Waits until the difference of this file is shown. */
const shown = (demo, path) => demo.until((path) => {
  const difference = document.querySelector('dialog[open] .difference');
  return difference?.querySelector('.cm-content')?.getAttribute('aria-label').startsWith(`${path}, `) && /added/.test(difference.querySelector('[role=status]').textContent);
}, path);

const words = (demo) => demo.page.$eval('dialog[open] .difference [role=status]', (status) => status.textContent);
const sides = (demo) => demo.page.$$eval('dialog[open] .difference-sides span', (names) => names.map((name) => name.textContent));
