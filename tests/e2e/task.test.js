import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the structured task', (demoTest) => {
  demoTest('follows the message as it is written, and one key runs it', async (demo) => {
    await demo.open();
    await demo.readAs('fresh build');
    assert.deepEqual(await demo.structured(), ['ADD Build a landing page for Driftwood, a small coffee roastery by the sea']);
    await demo.begin('freed');
    await demo.write('Refine the copy in the hero. Keep the footer. Fix the mood toggle');
    await demo.readAs('Fix the mood toggle');
    assert.equal(await demo.page.$eval('[data-testid=task-type]', (type) => type.textContent), 'mutation');
    const lines = await demo.structured();
    assert.deepEqual(lines.map((line) => line.split(' ', 1)[0]).slice(0, 3), ['MODIFY', 'FIX', 'PRESERVE']);
    await demo.write('Refine the copy in the hero.');
    // At once: what is run is what the message says, however fast the key is.
    await demo.press('Control+Enter');
    await demo.status('Done');
    assert.match((await demo.files())['.ralph/task.md'], /## Requirements\n- \[MODIFY\] Refine the copy in the hero\n\n## Scope/);
  });

  demoTest('is edited by the keyboard alone, and runs as it was edited', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    const { keyboard } = demo.page;
    await demo.readAs('Refine the ad copy');
    await demo.tabTo(() => document.activeElement.textContent === 'Edit the task');
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.matches('.task-editor select'));
    await demo.tabTo(() => document.activeElement.getAttribute('aria-label') === 'Requirement 1');
    await keyboard.press('End');
    await keyboard.type(', in British English');
    // Enter alone neither runs nor loses anything.
    await keyboard.press('Enter');
    await demo.tabTo(() => document.activeElement.textContent === 'Add what must stay');
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'What must stay, line 1');
    await keyboard.type('The flavors');
    await demo.tabTo(() => document.activeElement.textContent === 'Add a requirement', { back: true });
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'Requirement 2');
    await keyboard.type('Nothing of this');
    await demo.tabTo(() => document.activeElement.getAttribute('aria-label') === 'Remove requirement 2', { back: true });
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.textContent === 'Add a requirement');
    await demo.screenshot('edited');
    await demo.tabTo(() => document.activeElement.textContent === 'Close the editor');
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.textContent === 'Edit the task');
    assert.deepEqual(await demo.structured(), [
      'MODIFY Refine the ad copy in the hero: less generic, more adult, in British English', 'PRESERVE The flavors', 'FILES src/sections/HeroSection.tsx',
    ]);
    await demo.press('Control+Enter');
    await demo.status('Done');
    const task = (await demo.files())['.ralph/task.md'];
    assert.match(task, /- \[MODIFY\] Refine the ad copy in the hero: less generic, more adult, in British English\n\n## Scope\n- PRESERVE: The flavors\n/);
    assert.match(task, /> Refine the ad copy in the hero: less generic, more adult\.\n/, 'the message stays as it was written');
    await demo.readAs('by rules');
    assert.deepEqual(demo.problems, []);
  });

  demoTest('has its type, markers and numbers changed, and is not lost to a message that changes', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.click('Edit the task');
    await demo.page.select('[aria-label="Marker of requirement 1"]', 'FIX');
    await demo.page.locator('[aria-label="How many in requirement 3"]').fill('4');
    await demo.page.select('.task-editor .inline-field select', 'bugfix');
    await demo.click('Close the editor');
    await demo.readAs('bug fix');
    assert.match((await demo.structured()).join('\n'), /^FIX Refine ad copy!.*\n.*\nADD .*\(4 new, 8 stay\)/);
    await demo.write('Add a page for the store');
    await demo.readAs('The message changed since you edited the task');
    assert.match((await demo.structured())[0], /^FIX Refine ad copy/);
    await demo.click('Read the message again');
    await demo.readAs('Add a page for the store');
    assert.equal((await demo.structured()).length, 1);
    await demo.click('Edit the task');
    await demo.click('Remove requirement 1');
    await demo.until(() => document.querySelector('#task-hint').textContent === 'Say at least one thing to do' && document.querySelector('.task-actions .primary').disabled);
  });
});

inEachBrowser('a message that is not clear', (demoTest) => {
  const UNCLEAR = 'some of the drinks should be for the night';

  demoTest('case 139: is asked about, and one click answers and goes on', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.write(UNCLEAR);
    await demo.readAs('for the night');
    assert.equal(await demo.page.$eval('.questions legend', (legend) => legend.textContent), 'What is meant by “Some of the drinks should be for the night”?');
    assert.equal((await demo.page.$$('.questions button')).length, 3);
    await demo.screenshot('questions');
    await demo.click('Should new items be added, and the existing ones stay?');
    await demo.status('Done');
    const files = await demo.files();
    assert.match(files['.ralph/task.md'], /Counter: 3\n[^]*- \[ADD\] [^]*> some of the drinks should be for the night\n> \n> .*should new items be added/);
    await demo.snapshotAppears('task-3-post');
    assert.deepEqual(demo.problems, []);
  });

  demoTest('case 139: runs no iteration, and the answer continues the same task', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    const before = await demo.files();
    await demo.run(UNCLEAR);
    await demo.status('Needs an answer');
    assert.deepEqual(await demo.files(), before);
    assert.ok(!(await demo.timeline()).some(({ label }) => label === 'Iteration'));
    assert.equal((await demo.page.$$('.questions')).length, 1, 'it is asked once');
    await demo.tabTo(() => document.activeElement.matches('.questions button'));
    await demo.page.keyboard.press('Enter');
    await demo.status('Done');
    assert.match((await demo.files())['.ralph/task.md'], /Counter: 3\n/);
  });

  demoTest('case 139: an answer that is typed continues the same task as well', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.run(UNCLEAR);
    await demo.status('Needs an answer');
    await demo.write('yes, they should be added');
    await demo.readAs('the task goes on with both texts');
    await demo.screenshot('answer');
    await demo.press('Control+Enter');
    await demo.status('Done');
    const task = (await demo.files())['.ralph/task.md'];
    assert.match(task, /Counter: 3\n[^]*> some of the drinks should be for the night\n> \n> yes, they should be added\n/);
    assert.match(task, /- \[ADD\] [^\n]*drinks should be for the night: yes, they should be added/);
    assert.deepEqual(demo.problems, []);
  });
});
