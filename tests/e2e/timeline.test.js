import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the thread', (demoTest) => {
  demoTest('follows the run until the user scrolls up, and again after Latest; earlier runs are folded', async (demo) => {
    await demo.page.setViewport({ width: 1440, height: 600 });
    await demo.open('?delay=20');
    await demo.run();
    const distance = () => demo.page.$eval('.thread-list', (list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await demo.lineAppears('some colors do not come from the theme');
    assert.ok((await distance()) < 48, 'the list follows');

    await demo.page.$eval('.thread-list', (list) => list.scrollTo({ top: 0 }));
    await demo.page.waitForSelector('.to-end');
    await demo.status('Done');
    assert.equal(await demo.page.$eval('.thread-list', (list) => list.scrollTop), 0, 'the list does not scroll');

    await demo.click('Latest');
    await demo.until(() => !document.querySelector('.to-end'));
    assert.ok((await distance()) < 48, 'the list is at its end again');

    await demo.run('Add a pricing section');
    await demo.status('Done');
    const earlier = '.earlier-run .result-card';
    assert.equal(await demo.page.$eval(earlier, (card) => card.open), false);
    await demo.page.click(`${earlier} summary`);
    await demo.until(() => document.querySelectorAll('.earlier-run .attempt').length > 2);
    await demo.page.click('[aria-label="More views"]');
    await demo.page.locator('.menu:popover-open ::-p-aria([name="All events"])').click();
    await demo.until(() => document.querySelector('.events-view [data-type="snapshot-saved"]'));
  });

  demoTest('a message reaches the agent, its bubble names the attempt, and Escape stops the run', async (demo) => {
    await demo.open('?delay=100');
    await demo.run();
    await demo.lineAppears('Attempt 1');
    await demo.write('Use warm words');
    await demo.page.keyboard.press('Enter');
    await demo.until(() => [...document.querySelectorAll('.bubble')].some(({ textContent }) => /^Use warm words.*delivered at attempt \d/.test(textContent)));
    await demo.page.keyboard.press('Escape');
    await demo.status('Stopped');
    assert.equal(await demo.page.evaluate(() => document.activeElement.id), 'task-text');
  });
});
