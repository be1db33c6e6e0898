import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the keyboard', (demoTest) => {
  demoTest('runs a task, opens its files and rolls it back', async (demo) => {
    await demo.open();
    const { keyboard } = demo.page;
    await keyboard.press('Tab');
    assert.equal(await demo.focused(), 'Skip to the task');
    await keyboard.press('Enter');
    await demo.tabTo(() => document.activeElement.id === 'task-text');
    await demo.press('Control+Enter');
    await demo.status('Done');

    await demo.tabTo(() => document.activeElement.getAttribute('role') === 'treeitem', { back: true });
    await keyboard.press('Home');
    await keyboard.press('ArrowLeft');
    await keyboard.type('s');
    await demo.until(() => document.activeElement.dataset.path === 'src');
    await keyboard.press('ArrowRight');
    await demo.until(() => document.activeElement.dataset.path === 'src/sections');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.code')?.textContent.includes('export function CtaSection'));
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    await demo.until(() => document.activeElement.getAttribute('aria-expanded') === 'false' && !document.querySelector('[data-path="src/sections/CtaSection.tsx"]'));

    await demo.tabTo(() => document.activeElement.getAttribute('aria-label') === 'Roll back to task-1-pre');
    await keyboard.press('Enter');
    await demo.page.waitForSelector('dialog[open] .touched');
    await demo.tabTo(() => document.activeElement.textContent === 'Roll back');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.rollback-result'));
    assert.match((await demo.files())['src/App.tsx'], /to get started/);
  });
});
