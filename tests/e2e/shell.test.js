import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the shell', (demoTest) => {
  demoTest('applies a theme, and keeps git and loopgate out of reach', async (demo) => {
    await demo.open();
    await demo.show('shell');
    assert.match(await demo.execute('npm install'), /`help` lists the commands/);
    assert.match(await demo.execute('help'), /cat FILE[^]*theme list/);
    assert.match(await demo.execute('theme list'), /presets: northern-lights, cyberpunk/);
    assert.match(await demo.execute('theme preset cyberpnk --apply'), /Did you mean cyberpunk\?[^]*exit code 2/);
    assert.match(await demo.execute('theme preset cyberpunk --apply'), /Applied the preset cyberpunk/);
    const sheet = (await demo.files())['src/index.css'];
    assert.match(sheet, /--sidebar-ring: oklch\(.*\)[^]*\.scaffold/);
    assert.match(await demo.execute('theme preset cyberpunk --apply'), /already has/);
    assert.match(await demo.execute('echo x > .git/config'), /\.git is kept by git[^]*exit code 1/);
    assert.match(await demo.execute('mkdir -p a/b && echo x > a/b/c.txt && cat a/b/c.txt || echo no'), /^\$ .*\s+x\s*$/);
    assert.match(await demo.execute('cat nope'), /cat: no such file or folder: nope\s/);
    assert.match(await demo.execute('echo x > src/../b.txt && cat b.txt || cat ../../b.txt'), /^\$ .*\s+x\s*$/);
    await demo.execute('theme preset cyberpunk --apply');
    assert.match(await demo.execute('ls'), /^\$ ls\s+\.gitignore\s[^]*package\.json\s+src\/\s/);
    await demo.page.keyboard.press('ArrowUp');
    await demo.page.keyboard.press('ArrowUp');
    assert.equal(await demo.page.$eval('#shell-command', (input) => input.value), 'theme preset cyberpunk --apply');
    await demo.show('preview');
    await demo.previewFrame((background) => document.querySelector('style')?.textContent.includes(background), /--background: oklch\(.*?\)/.exec(sheet)[0]);
    assert.deepEqual(demo.problems, []);
  });
});
