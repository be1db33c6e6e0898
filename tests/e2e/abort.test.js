import assert from 'node:assert/strict';
import { hangingAt } from './demo.js';
import { inEachBrowser } from './fixture.js';

/** The call after the sections are written hangs. */
const IN_THE_MIDDLE = hangingAt('I build the page');

async function stopInTheMiddle(demo) {
  await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model') && [...document.querySelectorAll('.thread .entry-title')].at(-1)?.textContent === 'Writing src/sections/CtaSection.tsx');
  await demo.click('Stop');
  await demo.status('Stopped');
}

/** A double click is one click. */
const twice = (demo, button) => demo.page.locator(`${button}:not(:disabled)`).click({ count: 2 });

const project = async (demo) => Object.entries(await demo.files()).filter(([path]) => /^(src\/|index|package)/.test(path));

inEachBrowser('a hanging model call', (demoTest, differs) => {
  demoTest('is aborted by Stop, and nothing runs afterwards', async (demo) => {
    await demo.open('?delay=0&hang=1');
    await twice(demo, '.composer .primary');
    await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
    await demo.lineAppears('Attempt 1');
    await demo.write('Use warm words');
    await demo.page.keyboard.press('Enter');
    await twice(demo, '.composer .danger');
    await demo.status('Stopped');
    const message = () => demo.page.$eval('#task-text', ({ value }) => value);
    const bubble = (note) => demo.until((note) => [...document.querySelectorAll('.bubble')].some(({ textContent }) => textContent.startsWith('Use warm words') && textContent.includes(note)), note);
    await bubble('not delivered');
    assert.equal(await message(), 'Use warm words');
    assert.match(await demo.outcome(), /Stopped by you[^]*Continue\s+Edit the task/, 'there is nothing to undo');
    const files = await demo.files();
    assert.match(files['src/App.tsx'], /to get started/);
    assert.equal(files['.ralph/plan.tsx'], undefined);
    assert.deepEqual(demo.problems, []);

    await twice(demo, '[data-testid=outcome] .primary');
    await bubble('delivered at attempt 1');
    assert.equal(await message(), '');
    await demo.status('Done');
    assert.deepEqual(await demo.page.$$('.earlier-run'), [], 'it is one run');
    assert.match((await demo.files())['src/App.tsx'], /<HeroSection \/>/);
  });

  differs.storage('goes on as the same run after Stop and a reload', async (demo) => {
    await demo.open(IN_THE_MIDDLE);
    const start = await project(demo);
    await demo.run();
    await stopInTheMiddle(demo);
    const half = await project(demo);
    assert.ok(half.some(([path]) => path === 'src/sections/HeroSection.tsx'));
    await demo.until(() => document.querySelector('[data-testid=outcome]').innerText.includes('4 files'));

    await demo.setQuery('?delay=0');
    await demo.reload();
    await demo.status('Stopped');
    assert.deepEqual(await project(demo), half, 'a stop and a reload change no file');
    await demo.click('Continue');
    await demo.status('Done');
    const files = await demo.files();
    assert.match(files['src/App.tsx'], /^(?:(?!<HeroSection)[^])*<HeroSection \/>(?:(?!<HeroSection)[^])*$/, 'one hero');
    assert.equal(files['.ralph/task-counter.txt'].trim(), '1');
    assert.deepEqual(await demo.page.$$('.earlier-run'), [], 'it is one run');
    await demo.show('versions');
    assert.deepEqual(await demo.snapshots(), ['task-1-post', 'task-1-pre']);
    await demo.click('Restore before', '[data-testid=outcome]');
    await demo.until(() => document.querySelector('.toast')?.textContent.includes('Restored'));
    assert.deepEqual(await project(demo), start);
    await demo.until(() => document.querySelector('[data-testid=outcome]')?.textContent.includes('Not in the files now'));
    await demo.page.locator('[data-testid=outcome] .evidence button').click();
    await demo.until(() => document.querySelector('#panel-code .code-main .bar-end')?.textContent.includes('as in '));
    assert.deepEqual(demo.problems, []);
  });

  demoTest('ends when its changes are undone, and the task can run again', async (demo) => {
    await demo.open(IN_THE_MIDDLE);
    const start = await project(demo);
    await demo.run();
    await stopInTheMiddle(demo);
    await demo.click('Undo the changes');
    await demo.until(() => /Undid the changes in \d files?/.test(document.querySelector('.toast')?.textContent));
    await demo.until(() => /Ended by you\s+The files are as before this task/.test(document.querySelector('[data-testid=outcome]')?.innerText));
    assert.doesNotMatch(await demo.outcome(), /Undo|\d files? \+|Resumed/);
    assert.deepEqual(await project(demo), start);
    await demo.click('Try again');
    await demo.status('Done');
    assert.deepEqual(demo.problems, []);
  });
});
