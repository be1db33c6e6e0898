import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import git from 'isomorphic-git';
import { inEachBrowser } from './fixture.js';
import { readEverything } from './lightningfs.js';

const SPEC = '.handoff/specs/checkout/';

inEachBrowser('chunks', (demoTest) => {
  demoTest('the story: approve, verify, revise, fail and block, with reloads, then another executor ships the rest', async (demo) => {
    await demo.open();
    await demo.begin('checkout');
    await demo.click('Propose chunks');
    await demo.until(() => document.querySelectorAll('.card').length === 4);
    const before = await commits(demo.page, 'main');

    // A reload while the run waits for the approval: the cards come from the file, and nothing ran.
    await reopen(demo, '&hang=builder:Take the payment');
    await demo.until(() => document.querySelectorAll('.card').length === 4);
    assert.equal((await demo.files())[`${SPEC}chunks.json`], undefined);
    await demo.page.locator('.card[data-chunk=order] .card-title').fill('Price an order exactly');
    await demo.page.locator('.card[data-chunk=payment] input[type=number]').fill('2');
    // A cycle cannot be approved.
    await demo.click('Print the receipt', '.card[data-chunk=order]');
    await demo.until(() => document.querySelector('.proposal [role=status]').textContent.includes('order → receipt → payment → order'));
    assert.equal(await demo.page.$eval('.proposal .primary', (button) => button.disabled), true);
    await demo.click('Print the receipt', '.card[data-chunk=order]');
    await demo.click('Approve and run');

    // A reload during an attempt.
    await state(demo, 'payment', 'running', 'executing');
    await reopen(demo, '&hang=summarizer:Hold the seats');
    await demo.click('Resume');
    // A reload between two chunks: the commit exists, its summary does not.
    await demo.lineAppears('Step hold is done');
    await reopen(demo);
    await demo.click('Resume');
    await demo.status('Blocked');
    for (const [chunk, expected, words] of [['order', 'shipped', 'Shipped'], ['payment', 'failed', 'Failed'], ['hold', 'shipped', 'Shipped'], ['receipt', 'blocked', 'Blocked by payment']]) {
      await state(demo, chunk, expected, words);
    }
    assert.deepEqual(await commits(demo.page, 'spec/checkout'), ['Hold the seats', 'Price an order exactly', ...before]);
    assert.deepEqual(JSON.parse((await demo.files())[`${SPEC}chunks.json`]).map(({ id, maxIterations }) => [id, maxIterations]), [['order', undefined], ['payment', 2], ['hold', undefined], ['receipt', undefined]]);
    await demo.screenshot('chunks-blocked');

    // The records: a failed verification, a race condition whose place opens in the editor, and the prompt with the finding.
    await choose(demo, 'order', 1, 'verification');
    await panelHas(demo, 'Build failed');
    await panelHas(demo, './checkout/orders');
    await choose(demo, 'payment', 1, 'issues');
    await panelHas(demo, '../bank/contract.yaml is not a file of the project');
    assert.equal(await demo.page.$$eval('.issue-place', (places) => places.length), 1);
    await choose(demo, 'hold', 2, 'prompt');
    await panelHas(demo, 'add the seats to `held` before the first await');
    await choose(demo, 'hold', 1, 'issues');
    await demo.click('src/checkout/hold.ts:8', '.attempt-panel');
    await demo.until(() => document.querySelector('#panel-code:not([hidden]) .code-path')?.textContent.includes('src/checkout/hold.ts') && document.querySelector('.marked-lines')?.dataset.lines === '8-8');

    // Another executor, which the configuration names, ships the chunk that failed and frees the one that waited.
    await demo.page.click('#tab-chunks');
    await demo.page.click('.chunk-settings summary');
    await demo.page.select('.chunk-settings select', 'careful');
    await demo.until(() => document.querySelector('.chunk-settings')?.textContent.includes('set here'));
    await demo.click('Save to config.yaml');
    await demo.until(() => !document.querySelector('.chunk-settings')?.textContent.includes('set here'));
    assert.match((await demo.files())['.handoff/config.yaml'], /^# The tools[^]*executor: careful/);
    await demo.click('Run', '#panel-chunks');
    await demo.status('Done');
    for (const chunk of ['payment', 'receipt', 'final-review']) await state(demo, chunk, 'shipped', '');
    assert.deepEqual(await commits(demo.page, 'spec/checkout'), ['Print the receipt', 'Take the payment', 'Hold the seats', 'Price an order exactly', ...before]);
    assert.deepEqual(await commits(demo.page, 'main'), before);
    await demo.until(() => document.querySelector('.pull-request')?.textContent.includes('spec/checkout → main'));

    // The costs come from the journals of all runs.
    await reopen(demo);
    await choose(demo, 'payment', 3, 'summary');
    await panelHas(demo, 'pay() charges an order once');
    await demo.until(() => ['tokens, $0.0', 'swift', 'careful'].every((words) => document.querySelector('[data-testid=chunk-cost]')?.textContent.includes(words)));
    await demo.until(() => document.querySelector('.pull-request')?.textContent.includes('Take the payment'));
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('chunks-done');

    // The ways back. A file that is not committed is not overwritten, and a merge leaves it as it is.
    const shipped = await commits(demo.page, 'spec/checkout');
    await demo.page.click('#tab-shell');
    await demo.execute('echo mine > src/checkout/hold.ts');
    await demo.page.click('#tab-chunks');
    await demo.until(() => document.querySelector('.branch-bar')?.textContent.includes('Merge into main'));
    await demo.click('Leave the branch', '.branch-bar');
    await demo.until(() => document.querySelector('.branch-bar [role=alert]')?.textContent.includes('src/checkout/hold.ts'));
    assert.deepEqual(await demo.page.$$eval('.branch-bar button', (buttons) => buttons.map(({ disabled }) => disabled)), [false, false]);
    await demo.screenshot('branch-refused');
    await demo.click('Merge into main', '.branch-bar');
    await demo.until(() => document.querySelector('.branch-bar [role=status]')?.textContent.includes('is merged into main'));
    assert.equal(await demo.page.$('.branch-bar button'), null);
    // The focus is not lost with the buttons.
    await demo.until(() => document.activeElement?.getAttribute('role') === 'status');
    assert.deepEqual(await commits(demo.page, 'main'), shipped);
    assert.equal((await demo.files())['src/checkout/hold.ts'], 'mine\n');
    assert.deepEqual(demo.problems, []);
  });
});

/** Loads the page again, as a reload does, and shows the chunks. */
async function reopen(demo, query = '') {
  await demo.open(`?delay=0${query}`);
  await demo.page.click('#tab-chunks');
}

/** Waits until a chunk has a state, with these words. */
const state = (demo, chunk, expected, words) =>
  demo.until((chunk, expected, words) => {
    const node = document.querySelector(`.chunk-node[data-chunk="${chunk}"]`);
    return node?.dataset.state === expected && node.textContent.includes(words);
  }, chunk, expected, words);

/** Shows a tab of the record of an attempt. */
async function choose(demo, chunk, attempt, tab) {
  await demo.page.locator(`.chunk-node[data-chunk="${chunk}"]`).click();
  await demo.page.locator(`.attempts .chip:nth-child(${attempt})`).click();
  await demo.page.locator(`#attempt-tab-${tab}`).click();
  await demo.until((attempt) => document.querySelector('#attempt-panel')?.dataset.attempt === attempt, String(attempt));
}

const panelHas = (demo, words) => demo.until((words) => document.querySelector('#attempt-panel')?.innerText.includes(words), words);

/** The first lines of the messages of a branch's commits, newest first. */
async function commits(page, branch) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'loopgate-chunks-'));
  try {
    for (const [path, bytes] of Object.entries(await readEverything(page))) {
      fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
      fs.writeFileSync(join(dir, path), bytes);
    }
    const log = await git.log({ fs, dir, ref: branch });
    return log.map(({ commit }) => commit.message.split('\n', 1)[0]);
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}
