import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the timeline', (demoTest) => {
  demoTest('follows the run until the user scrolls up, and again after Latest', async (demo) => {
    await demo.open('?delay=20');
    await demo.run();
    const distance = () => demo.page.$eval('.timeline', (list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await demo.lineAppears('Check failed: some colors do not come from the theme');
    assert.ok((await distance()) < 48, 'the list follows');

    await demo.page.$eval('.timeline', (list) => list.scrollTo({ top: 0 }));
    await demo.page.waitForSelector('.to-end');
    await demo.status('Done');
    assert.equal(await demo.page.$eval('.timeline', (list) => list.scrollTop), 0, 'the list does not scroll');

    await demo.click('Latest');
    await demo.until(() => !document.querySelector('.to-end'));
    assert.ok((await distance()) < 48, 'the list is at its end again');
    await demo.page.setViewport({ width: 900, height: 700 });
    await demo.until(() => {
      const list = document.querySelector('.timeline');
      return innerWidth === 900 && list.scrollHeight - list.scrollTop - list.clientHeight < 48;
    });
  });
});
