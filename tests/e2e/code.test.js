/** The user edits the project. */
import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the editor', (demoTest, differs) => {
  differs.keyboard('saves a file, and the page follows it', async (demo) => {
    await demo.open();
    await demo.show('code');
    await opened(demo, 'src/App.tsx');
    await replace(demo, 'export default () => <h1>Typed');
    await demo.until(() => document.querySelector('.cm-lint-marker-error') && document.querySelector('.code-main .view-bar').textContent.includes('not saved'));
    // What is not saved is lost with the project, so a story asks first.
    await demo.page.click('.project-menu');
    await demo.click('New project', '.menu:popover-open');
    await demo.page.waitForSelector('dialog[open] .danger');
    await demo.click('Cancel', 'dialog[open]');
    await demo.page.focus('#panel-code .cm-content');
    await demo.press('Control+End');
    await paste(demo, '</h1>;\n');
    await demo.press('Control+s');
    await demo.until(() => document.querySelector('#panel-code [aria-keyshortcuts]').disabled);
    await demo.previewHas('Typed');
    assert.equal((await demo.files())['src/App.tsx'], 'export default () => <h1>Typed</h1>;\n');
    await demo.until(() => document.querySelector('#code-tree [data-path="src/App.tsx"]').getAttribute('aria-current') === 'true');
  });

  differs.keyboard('creates, renames and deletes files, keeps unsaved changes, and reports problems of the configuration', async (demo) => {
    await demo.open();
    const { keyboard } = demo.page;
    await demo.show('code');
    await opened(demo, 'src/App.tsx');
    await create(demo, '.git/config');
    await demo.until(() => document.querySelector('#path-problem')?.textContent.includes('.git is kept by git'));
    await create(demo, 'src/App.tsx/inner.ts');
    await demo.until(() => document.querySelector('#path-problem')?.textContent === 'src/App.tsx is a file, not a folder');
    await create(demo, ' src/App.tsx ');
    await demo.until(() => document.querySelector('#path-problem')?.textContent === 'src/App.tsx exists already');
    await create(demo, '.handoff/config.yaml');
    await opened(demo, '.handoff/config.yaml');
    await replace(demo, 'defaults:\n  maxIterations: many\n');
    await demo.page.waitForSelector('.cm-lint-marker-error');
    await demo.page.click('#code-tree [data-path="src/main.tsx"]');
    await opened(demo, 'src/main.tsx');
    const asked = new Promise((resolve) => demo.page.once('dialog', resolve));
    await demo.page.evaluate(() => setTimeout(() => location.reload()));
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    await demo.page.click('#code-tree [data-path=".handoff/config.yaml"]');
    await opened(demo, '.handoff/config.yaml');
    await demo.until(() => document.querySelector('#panel-code .cm-content').textContent.includes('maxIterations: many'));
    await replace(demo, 'defaults:\n  maxIterations: 3\n');
    await demo.until(() => !document.querySelector('.cm-lint-marker-error'));

    await create(demo, 'specs/0001-menu.md');
    await opened(demo, 'specs/0001-menu.md');
    await replace(demo, '# A menu\n');
    await demo.click('Rename', '#panel-code');
    // The form has the path of the file that is open.
    await demo.page.click('#code-tree [data-path="src/main.tsx"]');
    await demo.until(() => document.querySelector('#path-field').value === 'src/main.tsx');
    await demo.page.click('#code-tree [data-path="specs/0001-menu.md"]');
    await demo.until(() => document.querySelector('#path-field').value === 'specs/0001-menu.md');
    await demo.page.locator('#path-field').fill('specs/0002-menu.md');
    await keyboard.press('Enter');
    await opened(demo, 'specs/0002-menu.md');
    const files = await demo.files();
    assert.deepEqual([files['specs/0001-menu.md'], files['specs/0002-menu.md']], [undefined, '# A menu\n']);
    await replace(demo, '# A menu with prices\n');
    await demo.click('Delete', '#panel-code');
    await demo.until(() => document.querySelector('.toast')?.textContent.includes('Deleted specs/0002-menu.md'));
    assert.equal((await demo.files())['specs/0002-menu.md'], undefined);
    await demo.click('Undo', '.toast');
    await opened(demo, 'specs/0002-menu.md');
    assert.equal((await demo.files())['specs/0002-menu.md'], '# A menu\n');
    await demo.until(() => document.querySelector('#panel-code .cm-content').textContent.includes('with prices') && document.querySelector('.code-main .view-bar').textContent.includes('not saved'));
    assert.deepEqual(demo.problems, []);
  });

  demoTest('saves no text over a change of somebody else until the user has decided', async (demo) => {
    await demo.open();
    await demo.show('code');
    await opened(demo, 'src/App.tsx');
    await replace(demo, 'export default () => null;\n');
    await demo.show('shell');
    await demo.execute('rm src/App.tsx');
    await demo.show('code');
    await demo.until(() => document.querySelector('.code-note')?.textContent.includes('was deleted'));
    await demo.page.focus('#panel-code .cm-content');
    await demo.press('Control+s');
    await demo.click('Rename', '#panel-code');
    await demo.page.locator('#path-field').fill('src/Other.tsx');
    await demo.page.keyboard.press('Enter');
    await demo.until(() => document.querySelector('#path-problem')?.textContent.startsWith('src/App.tsx has changed'));
    await demo.page.keyboard.press('Escape');
    assert.equal((await demo.files())['src/App.tsx'], undefined);
    await demo.click('Keep mine');
    await demo.page.focus('#panel-code .cm-content');
    await demo.press('Control+s');
    await demo.until(() => document.querySelector('#panel-code [aria-keyshortcuts]')?.disabled);
    assert.equal((await demo.files())['src/App.tsx'], 'export default () => null;\n');
  });

  differs.keyboard('has the tree in a sheet and the changes beside it on a phone, where the preview fills the view', async (demo) => {
    await demo.page.setViewport({ width: 390, height: 844 });
    await demo.open();
    await demo.show('preview');
    await demo.page.waitForSelector('.preview-frame');
    const page = await demo.page.$eval('.preview-frame', (frame) => frame.getBoundingClientRect().toJSON());
    assert.ok(page.top < 100 && page.bottom > 700 && page.bottom < 844 && page.width === 390, JSON.stringify(page));
    await demo.show('code');
    await opened(demo, 'src/App.tsx');
    await demo.page.click('.tree-button');
    await demo.page.waitForSelector('#code-tree:popover-open');
    await demo.page.keyboard.press('Escape');
    await demo.until(() => !document.querySelector('#code-tree:popover-open') && document.activeElement.matches('.tree-button'));
    await demo.page.keyboard.press('Enter');
    await demo.page.locator('#code-tree [data-path="src/index.css"]').click();
    await opened(demo, 'src/index.css');
    assert.equal(await demo.page.$('#code-tree:popover-open'), null);
    await demo.click('Changes', '.stage-bar');
    await demo.until(() => document.querySelector('#panel-changes:not([hidden])')?.textContent.includes('Nothing has changed yet') && document.querySelector('.nav-bar [aria-current]').textContent === 'Code');
  });
});

const opened = (demo, path) => demo.until((path) => document.querySelector('#panel-code:not([hidden]) .cm-content')?.getAttribute('aria-label') === path, path);

async function create(demo, path) {
  if (!(await demo.page.$('#path-field'))) await demo.click('New file');
  await demo.page.locator('#path-field').fill(path);
  await demo.page.keyboard.press('Enter');
}

/** Replaces the text of the open file. */
async function replace(demo, text) {
  await demo.page.focus('#panel-code .cm-content');
  await demo.press('Control+a');
  await demo.page.keyboard.press('Delete');
  await paste(demo, text);
}

/** The editor would complete and indent typed text. */
const paste = (demo, text) => demo.page.evaluate((text) => document.execCommand('insertText', false, text), text);
