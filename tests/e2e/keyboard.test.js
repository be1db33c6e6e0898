import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the keyboard', (_, differs) => {
  differs.keyboard('runs a task, opens its files and rolls it back', async (demo) => {
    await demo.open();
    const { keyboard } = demo.page;
    await demo.until(() => document.activeElement.id === 'task-text');
    await demo.tabTo(() => document.activeElement.textContent === 'Skip to the task', { back: true });
    await keyboard.press('Enter');
    await demo.tabTo(() => document.activeElement.id === 'task-text');
    await demo.press('Control+Enter');
    await demo.status('Done');
    await demo.until(() => document.activeElement.id === 'task-text');

    await demo.press('Alt+3');
    await demo.until(() => document.querySelector('#tab-code[aria-selected=true]'));
    await demo.tabTo(() => document.activeElement.id === 'tab-code');
    await keyboard.press('Home');
    await demo.until(() => document.activeElement.id === 'tab-preview');
    await keyboard.press('End');
    await demo.until(() => document.activeElement.id === 'tab-checks');
    await demo.press('Alt+3');
    await demo.tabTo(() => document.activeElement.matches('#code-tree summary'));
    await keyboard.press('Home');
    await demo.until(() => document.activeElement.parentElement.dataset.path === 'src');
    await keyboard.press('ArrowDown');
    await demo.until(() => document.activeElement.parentElement.dataset.path === 'src/sections');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.code-editor')?.textContent.includes('export function CtaSection'));
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    await demo.until(() => !document.activeElement.parentElement.open && !document.querySelector('#code-tree [data-path="src/sections/CtaSection.tsx"]').checkVisibility());

    await demo.press('Control+k');
    await demo.until(() => document.activeElement.type === 'search');
    await keyboard.type('versions');
    await keyboard.press('Enter');
    await demo.tabTo(() => document.activeElement.getAttribute('aria-label') === 'Restore the start of the project');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.menu:popover-open'));
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await demo.until(() => document.querySelector('.toast')?.textContent.includes('Restored the start'));
    assert.match((await demo.files())['src/App.tsx'], /to get started/);
  });
});
