import assert from 'node:assert/strict';
import { withModel } from './chat-server.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';
/** A model that never answers. */
const HANGS = { key: KEY, turns: [] };

inEachBrowser('a task', (demoTest, differs) => {
  differs.storage('is typed, understood, sent with Enter and shown with its evidence, also after a reload', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    await demo.write('Refine the copy in the hero. Keep the footer. Fix the mood toggle');
    await demo.parsedAs('FIX Fix the mood toggle');
    await demo.write('Refine the ad copy in the hero: less generic, more adult.');
    // Without a wait: the run uses the present message, not the last chips.
    await demo.page.keyboard.press('Enter');
    await demo.until(() => document.querySelector('#task-text').value === '');
    await demo.status('Done');
    assert.match((await demo.files())['.ralph/task.md'], /## Requirements\n- \[MODIFY\] Refine the ad copy in the hero: less generic, more adult\n\n## Scope/);
    assert.equal((await demo.understood())[0], 'MODIFY Refine the ad copy in the hero: less generic, more adult');
    assert.equal(await demo.page.evaluate(() => document.activeElement.id), 'task-text', 'the composer keeps the focus');
    const shown = await Promise.all([demo.understood(), demo.attempts(), demo.outcome(), demo.gates()]);
    assert.match(shown[2], /Requirements: 0 of 1 checked[^]*mentioned, not checked[^]*src\/sections\/HeroSection\.tsx[^]*1 file \+\d+ −\d+ · \d attempts? · \d+ s/);

    await demo.reload();
    await demo.ready();
    assert.deepEqual(await Promise.all([demo.understood(), demo.attempts(), demo.outcome(), demo.gates()]), shown);
    assert.equal(await demo.page.$eval('#task-text', ({ value }) => value), '');
    await demo.write('Later: a blog');
    await demo.parsedAs('blog');
    await demo.click('Edit the task');
    await demo.write('Add a blog with dates', '.requirement-text');
    await demo.show('checks');
    await demo.page.click('[aria-label="Use the dark colors"]');
    await demo.reload();
    await demo.ready();
    assert.equal(await demo.page.$eval('#task-text', ({ value }) => value), 'Later: a blog', 'a draft survives a reload');
    await demo.parsedAs('Add a blog with dates');
    assert.deepEqual(await demo.page.$eval('html', ({ dataset }) => [dataset.theme, document.querySelector('.tabs [aria-selected=true]').id]), ['dark', 'tab-checks'], 'so do the colors and the view');

    await demo.until(() => document.querySelector('.checks-view')?.innerText.includes('Did it do the task?'));
    assert.match(await demo.page.$eval('.checks-view tbody', (rows) => rows.innerText), /Refine the ad copy in the hero[^]*mentioned/);
    await demo.screenshot('checks');
    await demo.click('Restore before', '[data-testid=outcome]');
    await demo.until(() => /Restored the version before this task/.test(document.querySelector('.toast')?.textContent));
    await demo.until(() => /Not in the files now/.test(document.querySelector('[data-testid=outcome]')?.textContent));
    await demo.until(() => document.querySelector('.checks-view').textContent.startsWith('Another version is restored') && !document.querySelector('#tab-checks .tab-count'));
    await demo.click('Restore this version', '[data-testid=outcome]');
    await demo.until(() => /Current/.test(document.querySelector('[data-testid=outcome] summary')?.textContent));
    await demo.until(() => document.querySelector('#tab-checks .tab-count')?.textContent.includes('passed checks'));
    assert.deepEqual(demo.problems, []);
  });

  differs.keyboard('is edited with the keyboard and runs as edited', async (demo) => {
    await demo.open();
    await demo.begin('freed');
    const { keyboard } = demo.page;
    await demo.parsedAs('Refine the ad copy');
    await demo.page.focus('#task-text');
    await demo.tabTo(() => document.activeElement.textContent === 'Edit the task', { back: true });
    await keyboard.press('Enter');
    await demo.until(() => document.activeElement.getAttribute('aria-label') === 'Requirement 1');
    await keyboard.press('End');
    await keyboard.type(', in British English');
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
    await demo.until(() => document.activeElement.id === 'task-text');
    await demo.parsedAs('edited by you');
    await demo.page.waitForSelector('.script-refusal');
    await withModel(HANGS, async (model) => {
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.page.focus('#task-text');
      await keyboard.press('Enter');
      await demo.lineAppears('Attempt 1');
      assert.deepEqual(await demo.understood(), [
        'MODIFY Refine the ad copy in the hero: less generic, more adult, in British English', 'PRESERVE The flavors', 'FILES src/sections/HeroSection.tsx',
      ]);
      const task = (await demo.files())['.ralph/task.md'];
      assert.match(task, /- \[MODIFY\] Refine the ad copy in the hero: less generic, more adult, in British English\n\n## Scope\n- PRESERVE: The flavors\n/);
      assert.match(task, /> Refine the ad copy in the hero: less generic, more adult\.\n/, 'the message does not change');
      assert.deepEqual(demo.problems, []);
      await demo.stop();
    });
  });

  demoTest('keeps edits of type, markers and counts when the message changes', async (demo) => {
    await demo.open();
    await demo.begin('converted');
    await demo.parsedAs('ADD');
    await demo.click('Edit the task');
    await demo.page.select('[aria-label="Marker of requirement 1"]', 'FIX');
    await demo.page.locator('[aria-label="Count of requirement 3"]').fill('4');
    await demo.page.select('.task-editor .inline-field select', 'bugfix');
    await demo.write('Add a page for the store');
    await demo.until(() => document.querySelector('.task-editor').textContent.includes('The message changed after you edited the task'));
    await demo.click('Parse the message again');
    await demo.parsedAs('ADD Add a page for the store');
    await demo.click('Edit the task');
    await demo.click('Remove requirement 1');
    await demo.until(() => /at least one/.test(document.querySelector('#task-hint').textContent) && document.querySelector('.composer .primary').disabled);
  });
});

inEachBrowser('an unclear message', (demoTest) => {
  const UNCLEAR = 'some of the drinks should be for the night';

  /** Runs it with a model, because the script plays its story only. */
  const asked = async (demo, body) => {
    await demo.open();
    await demo.begin('converted');
    await withModel(HANGS, async (model) => {
      await demo.chooseModel({ address: model.address, key: KEY });
      const before = await demo.files();
      await demo.write(UNCLEAR);
      await demo.parsedAs('Unclear');
      await demo.run();
      await demo.status('Needs you');
      assert.deepEqual(await demo.files(), before);
      assert.deepEqual(model.requests, []);
      assert.equal(await demo.page.$eval('#task-text', ({ value }) => value), '', 'the message is no answer');
      await body();
      await demo.stop();
    });
    assert.deepEqual(demo.problems, []);
  };

  demoTest('changes nothing until a chosen answer continues the task', (demo) => asked(demo, async () => {
    assert.match(await demo.page.$eval('.questions legend', (legend) => legend.textContent), /drinks should be for the night/);
    await demo.screenshot('questions');
    await demo.write('Later: a blog');
    await demo.page.locator('.questions label').click();
    await demo.click('Answer');
    await demo.lineAppears('Attempt 1');
    assert.equal(await demo.page.$eval('#task-text', ({ value }) => value), 'Later: a blog', 'the text in the field stays');
    assert.match((await demo.files())['.ralph/task.md'], /Counter: 3\n[^]*- \[ADD\] [^]*> some of the drinks should be for the night\n> \n> .*should new items be added/);
  }));

  demoTest('is left for another task', (demo) => asked(demo, async () => {
    await demo.click('Write another task');
    await demo.write('Add a page for the store');
    await demo.parsedAs('ADD Add a page for the store');
    await demo.run();
    await demo.lineAppears('Attempt 1');
    assert.match((await demo.files())['.ralph/task.md'], /^# Task: Add a page for the store\n[^]*## Requirements\n- \[ADD\] Add a page for the store\n\n/);
  }));

  demoTest('is continued by a typed answer', (demo) => asked(demo, async () => {
    await demo.write('yes, they should be added');
    await demo.until(() => document.querySelector('#task-hint').textContent.includes('the task continues with both texts'));
    await demo.page.keyboard.press('Enter');
    await demo.lineAppears('Attempt 1');
    const task = (await demo.files())['.ralph/task.md'];
    assert.match(task, /Counter: 3\n[^]*> some of the drinks should be for the night\n> \n> yes, they should be added\n/);
    assert.match(task, /- \[ADD\] [^\n]*drinks should be for the night: they should be added/);
  }));
});
