import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('rollback', (demoTest) => {
  demoTest('restores the exact files before the task', async (demo) => {
    await demo.open();
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    const after = await demo.files();
    const added = Object.keys(after).filter((path) => path.startsWith('src/') && !(path in before));
    assert.ok(added.length >= 3);

    await demo.click('Roll back to task-1-pre');
    await demo.until(() => document.querySelector('dialog[open] .touched'));
    const planned = await demo.page.$eval('dialog[open] .touched', (element) => element.textContent);
    for (const path of [...added, 'src/App.tsx']) assert.ok(planned.includes(path), `the dry run must name ${path}: ${planned}`);
    assert.deepEqual(await demo.files(), after, 'a dry run must change nothing');
    await demo.screenshot('rollback-dialog');

    await demo.click('Roll back', 'dialog[open]');
    await demo.until(() => document.querySelector('.rollback-result'));
    const result = await demo.page.$eval('.rollback-result', (element) => element.textContent);
    assert.match(result, /Rolled back to task-1-pre: restored \d+, deleted \d+/);
    assert.deepEqual(sources(await demo.files()), sources(before));
    await demo.until(() => !document.querySelector('[data-path="src/sections"]'));
    assert.deepEqual((await demo.snapshots()).filter((tag) => tag.startsWith('task-')), ['task-1-post', 'task-1-pre']);
  });

  demoTest('restores a later snapshot', async (demo) => {
    await demo.openAndRun();
    const built = await demo.files();
    await demo.rollBackTo('task-1-pre');
    await demo.rollBackTo('task-1-post');
    assert.deepEqual(sources(await demo.files()), sources(built));
  });

  demoTest('can be undone', async (demo) => {
    await demo.openAndRun();
    const built = await demo.files();
    await demo.rollBackTo('task-1-pre');
    assert.equal((await demo.files())['src/sections/HeroSection.tsx'], undefined);
    // A double click must not undo the undo.
    await (await demo.page.waitForSelector('.rollback-result button:enabled')).click({ count: 2 });
    await demo.until(() => !document.querySelector('.rollback-result') && document.querySelector('[data-path="src/sections"]'));
    await demo.until(() => !document.querySelector('.snapshots-panel .panel-title button').disabled);
    assert.deepEqual(await demo.files(), built);
    assert.equal(await demo.page.$('.snapshots-panel .problem'), null);
  });

  demoTest('does nothing when it is canceled', async (demo) => {
    await demo.openAndRun();
    const built = await demo.files();
    await demo.click('Roll back to task-1-pre');
    await demo.page.waitForSelector('dialog[open]');
    await demo.page.keyboard.press('Escape');
    await demo.until(() => !document.querySelector('dialog[open]'));
    assert.deepEqual(await demo.files(), built);
  });
});

/** Without the files of the harness. */
const sources = (files) => Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.ralph/')));
