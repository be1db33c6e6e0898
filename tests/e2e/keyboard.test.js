import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the keyboard alone', (demoTest) => {
  demoTest('runs a task, reads its files, and rolls it back', async (demo) => {
    await demo.open();
    const { keyboard } = demo.page;
    await keyboard.press('Tab');
    assert.equal(await demo.focused(), 'Skip to the task');
    await keyboard.press('Enter');
    await tabTo(demo, () => document.activeElement.id === 'task-text');
    await keyboard.down('Control');
    await keyboard.press('Enter');
    await keyboard.up('Control');
    await demo.status('Done');

    await tabTo(demo, () => document.activeElement.getAttribute('role') === 'treeitem', { back: true });
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

    await tabTo(demo, () => document.activeElement.getAttribute('aria-label') === 'Roll back to task-1-pre');
    await keyboard.press('Enter');
    await demo.page.waitForSelector('dialog[open] .touched');
    await tabTo(demo, () => document.activeElement.textContent === 'Roll back');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.rollback-result'));
    assert.match((await demo.files())['src/App.tsx'], /to get started/);
  });
});

/** Presses Tab until the focus is where it should be; a page has fewer stops than the limit. */
async function tabTo(demo, there, { back = false } = {}) {
  for (let stop = 0; stop < 120; stop++) {
    if (await demo.page.evaluate(there)) return;
    if (back) await demo.page.keyboard.down('Shift');
    await demo.page.keyboard.press('Tab');
    if (back) await demo.page.keyboard.up('Shift');
  }
  assert.fail(`the focus never came to ${there}`);
}
