import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import git from 'isomorphic-git';
import { serveChat } from './chat-server.js';
import { Demo } from './demo.js';
import { inEachBrowser } from './fixture.js';
import { readEverything } from './lightningfs.js';

const KEY = 'sk-not-a-real-one';
const FOLDER = '.handoff/specs/checkout/';

inEachBrowser('specs', (demoTest, differs) => {
  demoTest('an idea becomes a shipped branch without touching a file, with reloads on the way', async (demo) => {
    await demo.open();
    await demo.begin('checkout');
    const before = await commits(demo.page, 'main');
    await demo.click('Continue', '.studio');
    await demo.click('To the cent, always', '.studio');
    // “Other” waits for its answer, and nothing is decided for the user.
    await demo.page.locator('.studio-question:nth-of-type(3) .studio-other input').click();
    await demo.until(() => document.activeElement.matches('.studio-other input[type=text]'));
    await demo.click('Continue', '.studio');
    await demo.until(() => document.activeElement.matches('.studio-other input[type=text]'));
    await demo.page.locator('.studio-other input[type=text]').fill('A phone number');

    // The draft is stored after each change.
    await drafted(demo, ({ answers }) => answers?.[2] === 'A phone number');
    await reopen(demo);
    await demo.until(() => document.querySelector('.studio-other input[type=text]')?.value === 'A phone number' && document.querySelector('.studio-question input').checked);
    await demo.click('Continue', '.studio');
    await demo.until(() => document.querySelector('.studio-sources')?.innerText.includes('To the cent, always R1'));
    assert.match(await demo.page.$eval('.studio .markdown', (text) => text.innerText), /Requirements\s+R1: The price of an order is exact to the cent/);

    // The model does not write over an edit of the user without a question.
    await demo.click('Edit the text', '.studio');
    const text = await demo.page.$eval('[aria-label="Text of the spec"]', (area) => area.value);
    await demo.page.locator('[aria-label="Text of the spec"]').fill(text.replace('\n## Out', '- R5: A seat has a number.\n\n## Out'));
    await demo.click('Back', '.studio');
    await demo.click('Write the spec again', '.studio');
    await demo.until(() => document.querySelector('dialog[open]')?.textContent.includes('Your edits of the text are lost'));
    await demo.click('Cancel', 'dialog[open]');
    // A double click is one click, also if the next stage has a button at that place.
    await demo.page.locator('.studio-footer ::-p-aria([name="Keep the text"])').click({ count: 2 });
    await demo.until(() => document.querySelector('.studio .markdown')?.textContent.includes('A seat has a number.'));
    await demo.click('Split into steps');

    // The steps wait for the approval. Edits survive a reload, and problems are the same as in a run.
    await demo.status('Waiting for you');
    await openStep(demo, 'order');
    await demo.page.locator('.step-fields input').fill('Price an order exactly');
    await demo.page.locator('.step-details input').fill('order.lock');
    await demo.press('Tab');
    await demo.until(() => document.querySelector('.step-card .problem')?.textContent.includes('"order.lock" is not valid') && [...document.querySelectorAll('.studio-footer .primary')].at(-1).disabled);
    await demo.page.locator('.step-details input').fill('order');
    await demo.click('4 Print the receipt', '.step-card[data-step=order]');
    await demo.until(() => document.querySelector('.studio-body')?.textContent.includes('order → receipt → payment → order'));
    await demo.click('4 Print the receipt', '.step-card[data-step=order]');
    await openStep(demo, 'receipt');
    await demo.click('Remove Print the receipt');
    await demo.until(() => document.querySelectorAll('.step-card').length === 3 && document.querySelector('.unnamed')?.textContent.includes('R4, R5'));
    await drafted(demo, ({ removed }) => removed?.step.id === 'receipt');
    await reopen(demo);
    await demo.status('Waiting for you');
    await demo.click('Undo', '.studio');
    await demo.until(() => document.querySelectorAll('.step-card').length === 4);
    await drafted(demo, ({ steps }) => steps?.length === 4 && steps[0].title === 'Price an order exactly' && steps[0].id === 'order');
    await reopen(demo, '&hang=builder:Take the payment');
    await demo.status('Waiting for you');
    await demo.until(() => document.querySelector('.step-card[data-step=order] .step-title')?.textContent === 'Price an order exactly');
    assert.equal((await demo.files())[`${FOLDER}chunks.json`], undefined);
    await demo.screenshot('specs-steps');
    await demo.click('Approve and run');

    // A stop and a reload during an attempt.
    await state(demo, 'payment', 'running', 'Attempt 1');
    assert.equal(await demo.page.evaluate(() => document.activeElement.matches('body')), false, 'the focus is not lost with the cards');
    await demo.click('Stop');
    await demo.status('Stopped');
    await demo.screenshot('specs-stopped');
    await reopen(demo);
    await demo.click('Continue', '[data-testid=outcome]');
    await demo.status('Blocked');
    for (const [step, expected, words] of [['order', 'shipped', 'Shipped'], ['payment', 'failed', 'Failed'], ['hold', 'shipped', 'Shipped'], ['receipt', 'blocked', 'Blocked by Take the payment']]) {
      await state(demo, step, expected, words);
    }
    assert.deepEqual(await commits(demo.page, 'spec/checkout'), ['Hold the seats', 'Price an order exactly', ...before]);
    assert.equal((await demo.files())[`${FOLDER}draft.json`], undefined);

    // An issue of an attempt that was undone opens the file of that attempt.
    await choose(demo, 'payment', 1, 'issues');
    await panelHas(demo, '../bank/contract.yaml is not a file of the project');
    await choose(demo, 'hold', 1, 'issues');
    await demo.click('src/checkout/hold.ts:8', '.attempt-panel');
    await demo.until(() => document.querySelector('.patch-line.marked')?.textContent.includes('for (const seat of seats) held.add(seat);'));
    await choose(demo, 'order', 1, 'verification');
    await panelHas(demo, 'Build failed');
    await demo.screenshot('specs-blocked');

    // Another executor, which the configuration names, ships the step that failed and frees the one that waited.
    await demo.page.click('.step-settings summary');
    await demo.page.select('.step-settings select', 'careful');
    await demo.click('Save to config.yaml');
    await demo.until(() => !document.querySelector('.step-settings .step-actions'));
    assert.match((await demo.files())['.handoff/config.yaml'], /^# The tools[^]*executor: careful/);
    await demo.click('Run', '.spec-head');
    await demo.status('Done');
    for (const step of ['payment', 'receipt', 'final-review']) await state(demo, step, 'shipped', '');
    assert.equal(await demo.page.$('.spec-head .primary'), null, 'there is nothing left to run');
    assert.equal(await demo.scrolled(), 0);
    assert.deepEqual(await commits(demo.page, 'spec/checkout'), ['Print the receipt', 'Take the payment', 'Hold the seats', 'Price an order exactly', ...before]);
    assert.deepEqual(await commits(demo.page, 'main'), before);

    // The result has a line for each requirement, also after a reload.
    await reopen(demo);
    await demo.until(() => document.querySelector('[data-requirement=R3]')?.innerText.match(/Take the payment · [0-9a-f]{7} · 2 checks passed, 2 reviews approved/));
    // Each part of it has a link to the attempt that shipped.
    await demo.click('2 reviews approved', '[data-requirement=R3]');
    await demo.until(() => document.activeElement.id === 'step-heading' && document.activeElement.textContent === 'Take the payment');
    await panelHas(demo, 'Deep review: approved');
    await demo.until(() => document.querySelector('.attempts [aria-pressed=true]')?.dataset.outcome === 'shipped');
    await demo.click('2 checks passed', '[data-requirement=R1]');
    await panelHas(demo, 'Build passed');
    await demo.until(() => document.querySelector('.pull-request')?.innerText.includes('pay() charges an order once'));

    // A shipped step that is edited runs again.
    await demo.click('Edit the steps');
    assert.equal((await demo.page.$$('.studio-stages button:not(:disabled)')).length, 0, 'they are not split again');
    await openStep(demo, 'receipt');
    await demo.page.locator('.step-fields textarea').fill('Write src/checkout/receipt.ts in short (R4).');
    await demo.until(() => document.querySelector('.step-card[data-step=receipt] summary')?.textContent.includes('Shipped, runs again'));
    await demo.click('Discard changes');
    await demo.click('Discard', 'dialog[open]');
    await demo.until(() => document.querySelector('.pull-request'));

    // A file that is not committed is not overwritten, and a merge leaves it as it is.
    const shipped = await commits(demo.page, 'spec/checkout');
    await demo.show('shell');
    await demo.execute('echo mine > src/checkout/hold.ts');
    await demo.show('specs');
    await demo.click('Leave the branch', '.branch-bar');
    await demo.until(() => document.querySelector('.branch-bar [role=alert]')?.textContent.includes('src/checkout/hold.ts'));
    await demo.click('Merge', '.branch-bar');
    await demo.until(() => document.querySelector('.branch-bar [role=status]')?.textContent.includes('is merged into main'));
    // The focus is not lost with the buttons.
    await demo.until(() => !document.querySelector('.branch-bar button') && document.activeElement?.getAttribute('role') === 'status');
    assert.deepEqual(await commits(demo.page, 'main'), shipped);
    assert.equal((await demo.files())['src/checkout/hold.ts'], 'mine\n');
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('specs-done');
  });

  differs.storage('a draft is edited in one tab, and another one does not overwrite it', async (demo) => {
    const idea = (tab, text) => tab.until((text) => document.querySelector('.studio-field textarea')?.value === text, text);
    await demo.open();
    // A spec of somebody else, whose steps cannot be proposed, keeps its text.
    const model = await serveChat({ key: KEY, turns: [] });
    await demo.chooseModel({ address: model.address, key: 'refused' });
    await demo.show('shell');
    await demo.execute('mkdir .handoff/specs/shop && echo "# Shop" > .handoff/specs/shop/spec.md');
    await demo.show('specs');
    for (let time = 0; time < 2; time++) {
      await demo.click('Split into steps', '.studio');
      await demo.until((time) => document.querySelector('.studio')?.textContent.includes('There are no steps yet') && document.querySelectorAll('.earlier-run, [data-testid=outcome]').length > time, time);
    }
    await model.close();
    demo.problems.length = 0;
    await demo.click('Back', '.studio');
    await demo.page.waitForSelector('.studio-footer .primary:not(:disabled)');
    assert.equal((await demo.files())['.handoff/specs/shop/spec.md'], '# Shop\n');
    await demo.click('New spec');
    await demo.page.locator('.studio-field textarea').fill('A menu');
    await drafted(demo, ({ idea }) => idea === 'A menu', 'new-spec');
    const second = await Demo.inNewPage(demo.page.browserContext(), demo.address, `${demo.name}-second`);
    await second.open();
    await second.show('specs');
    await idea(second, 'A menu');
    await second.page.waitForSelector('.studio-field textarea:disabled');
    await second.screenshot('draft-elsewhere');
    await second.click('Edit here');
    await second.page.locator('.studio-field textarea').fill('A menu with prices');
    await drafted(second, ({ idea }) => idea === 'A menu with prices', 'new-spec');
    await demo.page.bringToFront();
    await demo.page.waitForSelector('.studio-field textarea:disabled');
    await idea(demo, 'A menu with prices');

    // Nor does it overwrite a file that the other tab has saved since.
    for (const tab of [demo, second]) {
      await tab.page.bringToFront();
      await tab.show('code');
      await tab.page.waitForSelector('#panel-code .cm-content');
      await tab.page.focus('#panel-code .cm-content');
      await tab.page.keyboard.type(tab.name);
    }
    for (const tab of [demo, second]) {
      await tab.page.bringToFront();
      await tab.press('Control+s');
      await tab.page.waitForSelector('#panel-code [aria-keyshortcuts]:disabled');
    }
    await second.until(() => document.querySelector('#panel-code [role=alert]')?.textContent.includes('The file has changed'));
    assert.match((await demo.files())['src/App.tsx'], new RegExp(`^${demo.name}(?!-second)`));
    assert.deepEqual([demo.problems, second.problems], [[], []]);
  });

  demoTest('rejected steps are no failure, the planner proposes them again, and the user can write them instead', async (demo) => {
    // A click before the page is ready counts. The story starts with the idea of the user.
    await demo.visit(`${demo.address}?delay=0`);
    await demo.page.waitForSelector('[data-story=checkout]');
    await demo.page.$eval('[data-story=checkout]', (card) => card.click());
    await demo.click('Continue', '.studio');
    await demo.status('Ready');
    await demo.click('Skip all');
    await demo.click('Split into steps');
    await demo.status('Waiting for you');
    await demo.click('Reject');
    await demo.status('Ready');
    await demo.click('Split into steps');
    await demo.status('Waiting for you');
    await openStep(demo, 'hold');
    await demo.page.locator('.step-fields input').fill('Reserve the seats');
    await demo.click('Propose again');
    await demo.until(() => document.querySelector('dialog[open]')?.textContent.includes('Your edits of the steps are lost'));
    await demo.click('Cancel', 'dialog[open]');
    await demo.click('Reject');
    await demo.page.waitForSelector('dialog[open] .danger.filled');
    await demo.until(() => document.querySelector('dialog[open]')?.textContent.includes('Your edits of the steps are lost'));
    await demo.click('Reject', 'dialog[open]');
    await demo.status('Ready');
    await demo.click('Edit the text', '.studio');
    await demo.page.locator('[aria-label="Text of the spec"]').fill('# Checkout\n\n- R1: Exact prices.\n- R2: Hold the seats for a day.\n');
    await demo.click('Write the steps yourself');
    await demo.click('Add a step');
    await demo.page.locator('.step-fields input').fill('Price an order');
    await demo.page.locator('.step-fields textarea').fill('Write src/checkout/order.ts (R1).');
    await demo.until(() => document.querySelector('[data-testid=steps-price]')?.textContent.startsWith('1 step'));
    await demo.click('Approve and run');
    await demo.status('Done');
    await state(demo, 'price-an-order', 'shipped', 'Shipped');
    await demo.until(() => document.querySelector('[data-requirement=R2]')?.textContent.includes('No step names it'));
    assert.match((await demo.files())[`${FOLDER}spec.md`], /Hold the seats for a day/);

    // Steps of another spec are rejected. The result stays.
    await demo.click('New spec');
    await demo.page.locator('.studio-field textarea').fill('A menu');
    await demo.click('Write it yourself', '.studio');
    await demo.click('Write the steps yourself', '.studio');
    await demo.click('Reject', '.studio');
    await demo.page.waitForSelector('.studio-review');
    assert.ok(await demo.page.$('[data-testid=outcome]'));
    assert.deepEqual(demo.problems, []);
  });

  demoTest('a model asks its questions and writes the spec, a server that fails is an error, and the spec is built in one go', async (demo) => {
    let isBroken = true;
    let hang = true;
    let answer;
    const isSeen = new Promise((resolve) => (answer = resolve));
    const answers = {
      questions: { title: 'Total', questions: [{ text: 'Which currency?', options: ['Euro', 'Dollar'] }] },
      specification: { goal: 'Show the total.', requirements: [{ text: 'The total is in euro', answers: [1] }], outOfScope: [] },
    };
    const done = (args = {}) => ({ name: 'complete_task', args });
    const asked = [];
    const turns = ({ messages: [{ content: system }, { content: prompt }] }) => {
      const role = /You are the (planner|implementer|verifier)/.exec(system)[1];
      if (role === 'planner') return [{ name: 'write_file', args: { path: /^- plan: (.*)$/m.exec(prompt)[1], content: '# The plan\n' } }, done()];
      if (role === 'implementer') return [{ name: 'write_file', args: { path: 'src/total.ts', content: 'export const total = 1;\n' } }, done()];
      return hang ? (hang = false, undefined) : [done({ verdict: 'accept', reason: 'The total is there.' })];
    };
    const model = await serveChat({ key: KEY, turns, task: (name) => {
      asked.push(name);
      return isBroken ? 'no object' : isSeen.then(() => answers[name]);
    } });
    try {
      await demo.open();
      await demo.show('specs');
      await demo.click('New spec');
      await demo.page.locator('.studio textarea').fill('Show the total of the cart');
      await demo.until(() => document.querySelector('.studio')?.textContent.includes('The demo script is no AI'));
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.page.locator('.studio-kind:last-of-type input').click();
      await demo.click('Continue', '.studio');
      await demo.until(() => document.querySelector('.studio [role=alert]')?.textContent.includes('The answer of the model is not in the requested form'));
      isBroken = false;
      await demo.click('Try again', '.studio');
      // The call goes on while another spec is shown, and is not repeated.
      await demo.click('New spec');
      await demo.until(() => document.querySelector('.studio textarea')?.value === '');
      await demo.page.locator('[data-spec$="show-the-total-of-the-cart"]').click();
      await demo.until(() => document.querySelector('.studio [role=status]')?.textContent.includes('The model reads your idea'));
      answer();
      await demo.click('Euro', '.studio');
      await demo.click('Continue', '.studio');
      await demo.until(() => document.querySelector('.studio-sources')?.innerText.includes('Euro R1'));
      assert.deepEqual(asked, ['questions', 'questions', 'specification']);
      await demo.click('Save and run');

      // A reload during the verification: the history is there, and the run goes on.
      await demo.until(() => document.querySelector('.history')?.textContent.includes('the verifier starts'));
      await demo.reload();
      await demo.page.waitForSelector('[aria-label="Unfinished run"]');
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.show('specs');
      await demo.click('Resume');
      await demo.status('Done');
      await demo.until(() => document.querySelector('[data-testid=spec-state]')?.textContent === 'Done' && document.querySelector('.history')?.textContent.includes('Accepted'));
      const files = await demo.files();
      assert.equal(files['specs/0001-total.md'], '# Total\n\nShow the total.\n\n## Requirements\n- R1: The total is in euro\n');
      assert.deepEqual(Object.keys(files).filter((path) => path.startsWith('.handoff/specs')), ['.handoff/specs/new-spec/draft.json']);
      assert.deepEqual(demo.problems, []);
    } finally {
      await model.close();
    }
  });

  demoTest('the story sets the wrong plan aside with its reason, and the second plan passes', async (demo) => {
    await demo.open();
    await demo.begin('wrong-plan');
    await demo.click('Run', '.spec-head');
    await demo.status('Done');
    for (const reload of [false, true]) {
      if (reload) await reopen(demo);
      await demo.until(() => document.querySelector('.history')?.textContent.includes('Accepted'));
      const history = await demo.page.$eval('.history', (list) => list.innerText);
      assert.match(history, /Plan 1 is written[^]*The plan is wrong[^]*fractions[^]*Plan 1 is set aside[^]*Plan 2 is written[^]*Accepted/);
      assert.deepEqual(await demo.page.$$eval('.spec-part > summary', (titles) => titles.map(({ textContent }) => textContent)), ['Plan', 'Plan 1, set aside']);
    }
    await demo.click('Run again');
    await demo.lineAppears('plan 2 is implemented');
    await demo.status('Done');

    // A text that is not saved waits while another spec is shown.
    await demo.click('Edit the text', '.spec-detail');
    await demo.page.locator('[aria-label="Text of the spec"]').fill('# Mine\n');
    await demo.click('New spec');
    await demo.page.waitForSelector('.studio');
    await demo.page.click('[data-spec^="specs/"]');
    await demo.until(() => document.querySelector('[aria-label="Text of the spec"]')?.value === '# Mine\n');
    await demo.click('Save the text', '.spec-detail');
    await demo.until(() => document.querySelector('#spec-heading')?.textContent === 'Mine');

    // The script does not begin what it cannot play.
    await demo.click('New spec');
    await demo.page.locator('.studio textarea').fill('A menu');
    await demo.page.locator('.studio-kind:last-of-type input').click();
    await demo.click('Write it yourself', '.studio');
    await demo.until(() => document.querySelector('.studio .spec-note')?.textContent.includes('can only play this story') && document.querySelector('.studio-footer .primary').disabled);
    await demo.page.click('[data-spec="specs/0001-cart-total.md"]');
    await demo.click('Delete', '.spec-head');
    await demo.page.waitForSelector('dialog[open] .danger.filled');
    await demo.click('Delete', 'dialog[open]');
    await demo.until(() => !document.querySelector('[data-spec="specs/0001-cart-total.md"]'));
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('specs');
  });
});

/** Loads the page again, as a reload does, and shows the specs. */
async function reopen(demo, query = '') {
  await demo.open(`?delay=0${query}`);
  await demo.show('specs');
}

/** Waits until the stored draft meets a condition. */
async function drafted(demo, condition, spec = 'checkout') {
  for (;;) {
    const { [`.handoff/specs/${spec}/draft.json`]: text = '{}' } = await demo.files();
    if (condition(JSON.parse(text))) return;
  }
}

async function openStep(demo, step) {
  await demo.page.locator(`.step-card[data-step="${step}"] summary`).click();
  await demo.page.waitForSelector(`.step-card[data-step="${step}"] .step-fields`);
  await demo.page.$eval('.step-fields details', (details) => (details.open = true));
}

/** Waits until a step has a state, with these words. */
const state = (demo, step, expected, words) =>
  demo.until((step, expected, words) => {
    const node = document.querySelector(`.step-node[data-step="${step}"]`);
    return node?.dataset.state === expected && node.textContent.includes(words);
  }, step, expected, words);

/** Shows a tab of the record of an attempt. */
async function choose(demo, step, attempt, tab) {
  await demo.page.locator(`.step-node[data-step="${step}"]`).click();
  await demo.page.waitForSelector(`.step-node[data-step="${step}"][aria-current=true]`);
  await demo.page.locator(`.attempts .chip:nth-child(${attempt})`).click();
  await demo.page.waitForSelector(`.attempts .chip:nth-child(${attempt})[aria-pressed=true]`);
  await demo.page.locator(`#attempt-tab-${tab}`).click();
  await demo.until((attempt) => document.querySelector('#attempt-panel')?.dataset.attempt === attempt, String(attempt));
}

const panelHas = (demo, words) => demo.until((words) => document.querySelector('#attempt-panel')?.textContent.includes(words), words);

/** The first lines of the messages of a branch's commits, newest first. */
async function commits(page, branch) {
  const dir = fs.mkdtempSync(join(tmpdir(), 'loopgate-specs-'));
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
