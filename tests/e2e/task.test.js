import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the parsed task', (demoTest) => {
  demoTest('follows the message, and Ctrl+Enter runs it', async (demo) => {
    await demo.open();
    await demo.parsedAs('fresh build');
    assert.deepEqual(await demo.structured(), ['ADD Build a landing page for Driftwood, a small coffee roastery by the sea']);
    await demo.begin('freed');
    await demo.write('Refine the copy in the hero. Keep the footer. Fix the mood toggle');
    await demo.parsedAs('Fix the mood toggle');
    assert.equal(await demo.page.$eval('[data-testid=task-type]', (type) => type.textContent), 'mutation');
    const lines = await demo.structured();
    assert.deepEqual(lines.map((line) => line.split(' ', 1)[0]).slice(0, 3), ['MODIFY', 'FIX', 'PRESERVE']);
    await demo.write('Refine the copy in the hero.');
    // Without a wait: the run uses the present message, not the last preview.
    await demo.press('Control+Enter');
    await demo.status('Done');
    assert.match((await demo.files())['.ralph/task.md'], /## Requirements\n- \[MODIFY\] Refine the copy in the hero\n\n## Scope/);
  });

  demoTest('is edited with the keyboard and runs as edited', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    const { keyboard } = demo.page;
    await demo.parsedAs('Refine the ad copy');
    await demo.tabTo(() => document.activeElement.textContent === 'Edit the task');
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.matches('.task-editor select'));
    await demo.tabTo(() => document.activeElement.getAttribute('aria-label') === 'Requirement 1');
    await keyboard.press('End');
    await keyboard.type(', in British English');
    // Enter alone does not run the task.
    await keyboard.press('Enter');
    await demo.tabTo(() => document.activeElement.textContent === 'Add an item to preserve');
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'Preserve, line 1');
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
    assert.match(task, /> Refine the ad copy in the hero: less generic, more adult\.\n/, 'the message does not change');
    await demo.parsedAs('by rules');
    assert.deepEqual(demo.problems, []);
  });

  demoTest('keeps edits of type, markers and counts when the message changes', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.click('Edit the task');
    await demo.page.select('[aria-label="Marker of requirement 1"]', 'FIX');
    await demo.page.locator('[aria-label="Count of requirement 3"]').fill('4');
    await demo.page.select('.task-editor .inline-field select', 'bugfix');
    await demo.click('Close the editor');
    await demo.parsedAs('bug fix');
    assert.match((await demo.structured()).join('\n'), /^FIX Refine ad copy.*\n.*\nADD .*\(4 new, 8 stay\)/);
    await demo.write('Add a page for the store');
    await demo.parsedAs('The message changed after you edited the task');
    assert.match((await demo.structured())[0], /^FIX Refine ad copy/);
    await demo.click('Parse the message again');
    await demo.parsedAs('Add a page for the store');
    assert.equal((await demo.structured()).length, 1);
    await demo.click('Edit the task');
    await demo.click('Remove requirement 1');
    await demo.until(() => /at least one/.test(document.querySelector('#task-hint').textContent) && document.querySelector('.task-actions .primary').disabled);
  });
});

inEachBrowser('an unclear message', (demoTest) => {
  const UNCLEAR = 'some of the drinks should be for the night';

  demoTest('gives questions, and a click on an answer runs the task', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.write(UNCLEAR);
    await demo.parsedAs('for the night');
    assert.match(await demo.page.$eval('.questions legend', (legend) => legend.textContent), /drinks should be for the night/);
    assert.ok((await demo.page.$$('.questions button')).length > 1);
    await demo.screenshot('questions');
    await demo.click('Should new items be added, and the existing ones stay?');
    await demo.status('Done');
    const files = await demo.files();
    assert.match(files['.ralph/task.md'], /Counter: 3\n[^]*- \[ADD\] [^]*> some of the drinks should be for the night\n> \n> .*should new items be added/);
    await demo.snapshotAppears('task-3-post');
    assert.deepEqual(demo.problems, []);
  });

  demoTest('runs no iteration, and the answer continues the same task', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    const before = await demo.files();
    await demo.run(UNCLEAR);
    await demo.status('Needs an answer');
    assert.deepEqual(await demo.files(), before);
    assert.ok(!(await demo.timeline()).some(({ label }) => label === 'Iteration'));
    assert.equal((await demo.page.$$('.questions')).length, 1, 'the questions are shown once');
    await demo.tabTo(() => document.activeElement.matches('.questions button'));
    await demo.page.keyboard.press('Enter');
    await demo.status('Done');
    assert.match((await demo.files())['.ralph/task.md'], /Counter: 3\n/);
  });

  demoTest('is continued by a typed answer', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.run(UNCLEAR);
    await demo.status('Needs an answer');
    await demo.write('yes, they should be added');
    await demo.parsedAs('the task continues with both texts');
    await demo.screenshot('answer');
    await demo.press('Control+Enter');
    await demo.status('Done');
    const task = (await demo.files())['.ralph/task.md'];
    assert.match(task, /Counter: 3\n[^]*> some of the drinks should be for the night\n> \n> yes, they should be added\n/);
    assert.match(task, /- \[ADD\] [^\n]*drinks should be for the night: they should be added/);
    assert.deepEqual(demo.problems, []);
  });
});
