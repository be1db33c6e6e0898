import assert from 'node:assert/strict';
import { withModel } from './chat-server.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';

inEachBrowser('the thread', (_, differs) => {
  differs.keyboard('follows the run until the user scrolls up, and again after Latest; earlier runs are folded', async (demo) => {
    await demo.page.setViewport({ width: 1440, height: 600 });
    await demo.open('?delay=20');
    await demo.page.evaluate(scrollUpAt, 'some colors do not come from the theme');
    await demo.run();
    await demo.page.waitForSelector('.to-end');
    await demo.status('Done');
    const [then, now] = await demo.page.evaluate(() => [globalThis.scrolledAt, document.querySelectorAll('.thread .entry').length]);
    assert.ok(then > 10 && now > then, `lines before and after: ${then}, ${now}`);
    assert.equal(await demo.page.$eval('.thread-list', (list) => list.scrollTop), 0, 'the list does not scroll');

    await demo.click('Latest');
    await demo.until(() => !document.querySelector('.to-end') && globalThis.isAtEnd());

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

  differs.keyboard('a message reaches the agent, its bubble names the attempt, and Escape stops the run', async (demo) => {
    let answer;
    const isWritten = new Promise((resolve) => (answer = resolve));
    // The first answer waits for the message, and the second one never comes.
    const turns = [isWritten.then(() => [{ name: 'list_files', args: {} }])];
    await withModel({ key: KEY, turns: () => turns.shift() }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Write a menu');
      await demo.lineAppears('Attempt 1');
      await demo.write('Use warm words');
      await demo.page.keyboard.press('Enter');
      await demo.until(() => [...document.querySelectorAll('.bubble')].some(({ textContent }) => textContent.startsWith('Use warm words')));
      answer();
      await demo.until(() => [...document.querySelectorAll('.bubble')].some(({ textContent }) => /^Use warm words.*delivered at attempt \d/.test(textContent)));
      await demo.page.keyboard.press('Escape');
      await demo.status('Stopped');
      assert.equal(await demo.page.evaluate(() => document.activeElement.id), 'task-text');
    });
  });
});

/**
 * In the page: scrolls the list up as soon as it has this line and has followed it, and counts the lines then. The run goes on in
 * the meantime, also if the test is late.
 */
function scrollUpAt(text) {
  globalThis.isAtEnd = () => {
    const list = document.querySelector('.thread-list');
    return list.scrollHeight - list.scrollTop - list.clientHeight < 48;
  };
  const check = () => {
    const lines = [...document.querySelectorAll('.thread .entry')];
    if (!lines.some(({ textContent }) => textContent.includes(text)) || !globalThis.isAtEnd()) return requestAnimationFrame(check);
    globalThis.scrolledAt = lines.length;
    document.querySelector('.thread-list').scrollTo({ top: 0 });
  };
  check();
}
