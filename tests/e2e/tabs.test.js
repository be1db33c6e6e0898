/** Two tabs of one project, and a project whose history is damaged. */
import assert from 'node:assert/strict';
import { withModel } from './chat-server.js';
import { Demo } from './demo.js';
import { inEachBrowser } from './fixture.js';
import { damageJournals } from './lightningfs.js';

const OTHER_TAB = '[aria-label="Another tab"]';
const UNFINISHED = '[aria-label="Unfinished run"]';
const DAMAGED = '[aria-label="Damaged history"]';

inEachBrowser('tabs', (_, differs) => {
  differs.storage('a second tab is read only while the first one runs, and takes over when it is closed', async (demo) => {
    await demo.open('?delay=0&hang=1');
    const second = await Demo.inNewPage(demo.page.browserContext(), demo.address, `${demo.name}-second`);
    await second.open();
    await second.page.evaluate(() => document.querySelector('.project-menu').click());
    await second.click('Reset project', '.menu:popover-open');
    await second.until(() => document.querySelector('dialog[open]'));

    await demo.page.bringToFront();
    // The run begins while a version is saved.
    await demo.show('versions');
    await demo.click('Save a version');
    await demo.write('Before the run', 'dialog input');
    await demo.page.evaluate(() => ['dialog[open] .primary', '.composer .primary'].forEach((button) => document.querySelector(button).click()));
    await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
    await second.page.bringToFront();
    await second.until((banner) => document.querySelector(banner)?.textContent.includes('Running in another tab'), OTHER_TAB);
    // The dialog was open before.
    await second.click('Reset project', 'dialog[open]');
    await second.until(() => document.querySelector('dialog[open] [role=alert]')?.textContent.includes('in use in another tab'));
    await second.page.keyboard.press('Escape');
    await second.until(() => !document.querySelector('dialog[open]') && document.querySelector('#task-text').disabled);
    await second.lineAppears('Attempt 1');
    await second.show('specs');
    await second.page.waitForSelector('.specs-head button:last-child:disabled');
    await second.page.click('.project-menu');
    assert.deepEqual(await second.page.$$eval('.menu:popover-open :disabled', (items) => items.map(({ textContent }) => textContent)), ['Stories', 'New project', 'Reset project']);
    await second.page.keyboard.press('Escape');
    await second.screenshot('other-tab');

    // With another model, the run waits until the user says which one goes on with it.
    await withModel({ key: 'sk-not-a-real-one', turns: [] }, async ({ address }) => {
      await second.chooseModel({ address, key: 'sk-not-a-real-one' });
      await demo.page.close();
      await second.status('Interrupted');
      assert.equal(await second.page.$('.activity'), null, 'nothing waits for the model of a tab that is gone');
      await second.click('Take over', OTHER_TAB);
      await second.page.waitForSelector(UNFINISHED);
    });
    assert.equal(await second.page.$(OTHER_TAB), null);
    await second.click('Resume with Demo script', UNFINISHED);
    await second.status('Done');
    await second.lineAppears('Resumed');
    assert.match((await second.files())['src/App.tsx'], /<HeroSection \/>/);
    assert.deepEqual(second.problems, []);
  });

  differs.storage('a run that one tab stops goes on in another one', async (demo) => {
    await demo.open('?delay=0&hang=1');
    const second = await Demo.inNewPage(demo.page.browserContext(), demo.address, `${demo.name}-second`);
    await second.open();
    await demo.page.bringToFront();
    await demo.run();
    await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
    await demo.click('Stop');
    await demo.status('Stopped');
    await second.page.bringToFront();
    await second.status('Stopped');
    assert.equal(await second.page.$(OTHER_TAB), null);
    await second.click('Continue');
    await second.status('Done');
    assert.match((await second.files())['src/App.tsx'], /<HeroSection \/>/);
    assert.deepEqual(second.problems, []);
  });

  differs.storage('a damaged history leaves the project usable, with a reset or a new run', async (demo) => {
    await damage(demo);
    await demo.screenshot('damaged');
    await demo.click('Reset project', DAMAGED);
    await demo.click('Reset project', 'dialog[open]');
    await demo.until((notice) => !document.querySelector(`${notice}, dialog[open]`), DAMAGED);

    await damage(demo);
    await demo.click('Continue without it', DAMAGED);
    await demo.until((notice) => !document.querySelector(notice), DAMAGED);
    await demo.run('Build a landing page for Driftwood, a small coffee roastery by the sea.');
    await demo.status('Done');
    assert.match((await demo.files())['src/App.tsx'], /<HeroSection \/>/);
    await demo.open();
    assert.equal(await demo.page.$(DAMAGED), null);
    assert.deepEqual(demo.problems, []);

    // A page that cannot start resets the project, too.
    await demo.page.evaluateOnNewDocument(() => window !== top || localStorage.getItem('repaired') || (navigator.locks.query = () => Promise.reject(new Error('No locks'))));
    await demo.reload();
    await demo.status('Start failed');
    await demo.page.evaluate(() => localStorage.setItem('repaired', 'yes'));
    await demo.click('Reset project', '.notice');
    await demo.click('Reset project', 'dialog[open]');
    await demo.status('Ready');
    assert.match((await demo.files())['src/App.tsx'], /to get started/);
  });
});

/** Interrupts a run, and damages its journal. */
async function damage(demo) {
  await demo.runUntil('Reading src/index.css', 'I read the task, my notes and the app.');
  // Without the page, which may write its journal once more.
  await demo.visit(`${demo.address}preview.html`);
  await damageJournals(demo.page);
  await demo.open();
  await demo.page.waitForSelector(DAMAGED);
}
