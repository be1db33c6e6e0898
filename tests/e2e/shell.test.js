import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the shell', (demoTest) => {
  demoTest('applies a theme and follows the rules of the harness', async (demo) => {
    await demo.open();
    await demo.page.click('#tab-shell');
    assert.match(await demo.execute('theme list'), /presets: northern-lights, cyberpunk/);
    assert.match(await demo.execute('theme preset cyberpnk --apply'), /Did you mean cyberpunk\?[^]*exit code 2/);
    assert.match(await demo.execute('theme preset cyberpunk --apply'), /Applied the preset cyberpunk/);
    const sheet = (await demo.files())['src/index.css'];
    assert.match(sheet, /--sidebar-ring: oklch\(.*\)[^]*\.scaffold/);
    assert.match(await demo.execute('theme preset cyberpunk --apply'), /already has/);
    assert.match(await demo.execute('echo x > .git/config'), /exit code 1/);
    await demo.page.keyboard.press('ArrowUp');
    await demo.page.keyboard.press('ArrowUp');
    assert.equal(await demo.page.$eval('#shell-command', (input) => input.value), 'theme preset cyberpunk --apply');
    await demo.click('Preview');
    await demo.previewFrame((background) => document.querySelector('style')?.textContent.includes(background), /--background: oklch\(.*?\)/.exec(sheet)[0]);
    assert.deepEqual(demo.problems, []);
  });
});
