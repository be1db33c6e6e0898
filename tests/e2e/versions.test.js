/** What a task changed, and the ways back from it. */
import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('changes and versions', (demoTest) => {
  demoTest('the changes of a task are shown and taken back, file by file', async (demo) => {
    await demo.openAndRun();
    const built = await demo.files();
    await demo.show('changes');
    await shown(demo, 'src/App.tsx');
    assert.deepEqual(await listed(demo), ['src/App.tsx', 'src/index.css', 'src/page.css', 'src/sections/CtaSection.tsx', 'src/sections/FeaturesSection.tsx', 'src/sections/HeroSection.tsx']);
    await demo.until(() => document.querySelector('[data-testid=outcome] .facts .link')?.textContent === document.querySelector('#panel-changes [role=status]').textContent);
    assert.match(await demo.page.$eval('#panel-changes [role=status]', ({ textContent }) => textContent), /^6 files \+\d+ −3$/);
    assert.match(await demo.page.$eval('#panel-changes .harness-files', (group) => group.textContent), /^\d+ files of loopgate/);
    assert.ok(await demo.page.$eval('.file-change .view-bar', (bar) => bar.offsetHeight) < 60, 'the bar has one row');
    if (!(await demo.page.$('.cm-mergeView'))) await demo.click('Side by side');
    await demo.page.waitForSelector('.cm-mergeView');
    const [before, after] = await demo.page.$$eval('.cm-mergeView .cm-content', (texts) => texts.map((text) => text.textContent));
    assert.ok(before.includes('<h1>My app</h1>') && after.includes('<HeroSection />'), before + after);

    await demo.page.click('#panel-changes [data-path="src/index.css"]');
    await shown(demo, 'src/index.css');
    assert.equal(await demo.page.$eval('.cm-collapsedLines', (fold) => getComputedStyle(fold, '::before').content), '"…"', 'a sign that fonts have');
    await demo.page.click('#panel-changes [data-path="src/sections/HeroSection.tsx"]');
    await shown(demo, 'src/sections/HeroSection.tsx');
    await demo.click('Undo this file');
    await demo.until(() => document.querySelector('.toast')?.textContent.includes('Undid src/sections/HeroSection.tsx'));
    assert.equal((await demo.files())['src/sections/HeroSection.tsx'], undefined);
    await demo.until(() => !document.querySelector('#panel-changes [data-path="src/sections/HeroSection.tsx"]'));
    await demo.show('preview');
    await demo.until(() => document.querySelector('.error-pill')?.textContent.includes('Cannot find "./sections/HeroSection"'));
    await demo.click('Undo', '.toast');
    await demo.until(() => !document.querySelector('.error-pill'));
    assert.deepEqual(sources(await demo.files()), sources(built));

    await demo.show('changes');
    await demo.click('Undo all');
    await demo.until(() => document.querySelector('.toast')?.textContent.includes('Undid 6 files'));
    await demo.until(() => document.querySelector('#panel-changes .empty'));
    await demo.previewHas('My app');
    assert.match((await demo.files())['src/App.tsx'], /to get started/);
    await demo.until(() => document.querySelector('[data-testid=outcome]:not(.tone-good)')?.textContent.includes('The files have changed since.'));
  });

  demoTest('a version is restored and the restore is undone, in two clicks', async (demo) => {
    await demo.open();
    const before = await demo.files();
    await demo.run();
    await demo.status('Done');
    const built = await demo.files();
    await demo.show('versions');
    await current(demo, /^Build a landing page for Driftwood/);
    await demo.screenshot('versions');

    await demo.click('Restore version 1');
    await demo.click('Restore before it');
    await current(demo, /^Start of the project/);
    assert.deepEqual(sources(await demo.files()), sources(before));
    await demo.previewHas('My app');
    await demo.click('Undo', '.toast');
    await current(demo, /^Build a landing page/);
    assert.deepEqual(sources(await demo.files()), sources(built));

    await demo.click('Restore the start of the project');
    await demo.click('Restore this version', '.menu:popover-open');
    await current(demo, /^Start of the project/);
    assert.match(await demo.page.$eval('.backups', (backups) => backups.textContent), /^Automatic backups \(\d\).*Before restoring/);
    await demo.click('Changes since version 1');
    await demo.until(() => document.querySelector('#panel-changes [data-path="src/App.tsx"]') && document.querySelector('#panel-changes select').selectedOptions[0].textContent.startsWith('version 1'));
  });

  demoTest('a version has a name and a pin, also after a reload', async (demo) => {
    await demo.openAndRun();
    await demo.show('versions');
    await demo.click('Rename version 1');
    await demo.write('The good one', 'dialog input');
    await demo.click('Rename', 'dialog[open]');
    await current(demo, /^The good one/);
    await demo.click('Pin version 1');
    await current(demo, /^The good one.*Pinned/);
    await demo.click('Save a version');
    await demo.write('Before the demo', 'dialog input');
    await demo.press('Enter');
    await demo.until(() => document.querySelector('.version strong')?.textContent === 'Before the demo');
    await demo.reload();
    await demo.ready();
    await demo.show('versions');
    await demo.until(() => /^The good one.*Pinned/.test(document.querySelector('.version[data-tag="task-1-post"]')?.textContent));
    await demo.screenshot('named-versions');
    await demo.click('Pin version 1');
    await demo.until(() => !document.querySelector('.version[data-tag="task-1-post"]').textContent.includes('Pinned'));
    assert.deepEqual(demo.problems, []);
  });
});

/** Waits until the difference of this file is shown. */
const shown = (demo, path) => demo.until((path) => document.querySelector('#panel-changes .file-change .cm-content')?.getAttribute('aria-label').startsWith(`${path}, `), path);
const listed = (demo) => demo.page.$$eval('#panel-changes .change-list > ul .file', (rows) => rows.map((row) => row.dataset.path));
const current = (demo, title) => demo.until((title) => new RegExp(title).test(document.querySelector('.version[aria-current=true]')?.textContent ?? ''), title.source);
/** Without the files of the harness. */
const sources = (files) => Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.ralph/')));
