import assert from 'node:assert/strict';
import { serveChat } from './chat-server.js';
import { Demo, indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';
const SPECS = { first: 'specs/0001-header.md', nested: 'specs/area/0002-footer.md', last: 'specs/0003-title.md' };

inEachBrowser('specs', (demoTest) => {
  demoTest('the story archives the wrong plan with its reason, and the second plan passes', async (demo) => {
    await demo.open();
    await demo.begin('wrong-plan');
    await demo.until(() => document.querySelector('[data-state="new"]'));
    await demo.click('Run all');
    await demo.status('Done');

    const lines = await demo.timeline();
    const wrong = indexOfLine(lines, 'Verdict', 'The plan is wrong');
    const order = [indexOfLine(lines, 'Plan', 'Plan 1 is written'), wrong, indexOfLine(lines, 'Plan', 'Plan 1 is set aside', wrong), indexOfLine(lines, 'Plan', 'Plan 2 is written'), indexOfLine(lines, 'Verdict', 'Accepted')];
    assert.deepEqual(order, order.toSorted((a, b) => a - b));

    // The journal has the reason, also after a reload.
    for (const reload of [false, true]) {
      if (reload) {
        await demo.reload();
        await demo.ready();
        await demo.page.click('#tab-specs');
      }
      await demo.until(() => document.querySelector('[data-state="done"]') && document.querySelector('.spec-detail')?.textContent.includes('fractions'));
      const shown = await demo.page.$eval('.spec-detail', (detail) => detail.innerText);
      assert.match(shown, /Current plan[^]*cents[^]*Plan 1, invalidated\s*The plan adds up euros as fractions[^]*Verification 1\s*The plan is wrong[^]*Verification 2\s*Accepted[^]*# The total of the cart/);
    }
    await demo.page.$$eval('.spec-run summary', (logs) => logs.at(-1).click());
    await demo.until(() => document.querySelector('.spec-run details[open] pre')?.textContent.includes('complete_task'));

    const files = await demo.files();
    assert.match(files['specs/plans/0001-cart-total.attempt-1.md'], /toFixed/);
    assert.match(files['src/cart.ts'], /In cents/);
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('specs');

    await demo.click('Run again: The total of the cart');
    await demo.lineAppears('plan 2 is implemented');
    await demo.status('Done');
    assert.deepEqual(namesOf(await demo.files(), 'runs/0001-cart-total/').filter((name) => name.startsWith('plan')), ['plan-attempt-1.log', 'plan-attempt-2.log'], 'a forced run uses the plan');
  });

  demoTest('three specs end in their files, with a reload while planning, implementing and verifying', async (demo) => {
    const script = new Script();
    const model = await serveChat({ key: KEY, turns: (request) => script.next(request) });
    try {
      await demo.open();
      await demo.page.click('#tab-specs');
      for (const path of Object.values(SPECS)) {
        await demo.click('New spec');
        await demo.page.locator('.new-spec input').fill(path);
        await demo.page.locator('.new-spec textarea').fill(`# Spec ${path}`);
        await demo.click('Save spec');
        await demo.page.waitForSelector(`[data-spec="${path}"]`);
      }
      await demo.until(() => document.querySelectorAll('[data-state="new"]').length === 3);
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.click('Run all');
      for (const words of ['planning', 'implementing', 'verifying']) {
        await script.hanging();
        await demo.until((words) => document.querySelector('[data-testid=specs-state]')?.textContent.includes(words), words);
        await demo.reload();
        await demo.page.waitForSelector('[aria-label="Unfinished run"]');
        await demo.page.click('#tab-specs');
        await demo.chooseModel({ address: model.address, key: KEY });
        await demo.click('Resume');
      }
      await demo.status('Done');
      await demo.until(() => document.querySelectorAll('[data-state="done"]').length === 3);

      const files = await demo.files();
      assert.deepEqual(Object.keys(files).filter((path) => path.startsWith('specs/')), [
        'specs/0001-header.md', 'specs/0003-title.md', 'specs/area/0002-footer.md',
        'specs/done/0001-header.md', 'specs/done/0003-title.md', 'specs/done/area/0002-footer.md',
        'specs/plans/0001-header.attempt-1.md', 'specs/plans/0001-header.json', 'specs/plans/0001-header.md',
        'specs/plans/0003-title.json', 'specs/plans/0003-title.md',
        'specs/plans/area/0002-footer.json', 'specs/plans/area/0002-footer.md',
      ]);
      const plans = Object.keys(LOGS).map((id) => JSON.parse(files[`specs/plans/${id}.json`]));
      assert.deepEqual(plans.map(({ status, attempt }) => [status, attempt]), [['active', 2], ['active', 1], ['active', 1]]);
      assert.equal(files['specs/plans/0001-header.attempt-1.md'].trim(), '# Plan 1');
      assert.equal(files['specs/plans/0001-header.md'].trim(), '# Plan 2');
      for (const [id, logs] of Object.entries(LOGS)) assert.deepEqual(namesOf(files, `runs/${id}/`), logs, id);
      // The reason reached the second planner, and the findings the second implementer.
      assert.ok(script.prompts.some(({ role, prompt }) => role === 'planner' && prompt.includes('wrong module')));
      assert.ok(script.prompts.some(({ role, prompt }) => role === 'builder' && prompt.includes('src/0003.ts:1 has no title')));
      assert.deepEqual(demo.problems, []);
    } finally {
      await model.close();
    }
  });

  demoTest('a second tab follows a run, and takes over when the first one is closed', async (demo) => {
    await demo.open('?delay=0&hang=1');
    await demo.begin('wrong-plan');
    await demo.click('Run all');
    await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));

    const second = new Demo(await demo.page.browserContext().newPage(), demo.address, demo.name);
    await second.page.goto(`${demo.address}?delay=0`);
    const banner = '[aria-label="Open in another tab"]';
    await second.until((banner) => /since \d\d:\d\d:\d\d/.test(document.querySelector(banner)?.textContent), banner);
    await second.lineAppears('the planner starts');
    assert.equal(await second.page.$eval(`${banner} button`, (button) => button.disabled), true);
    assert.equal(await second.page.$('.task-panel button'), null, 'the second tab cannot stop or steer the run');
    await second.page.click('#tab-specs');
    await second.until(() => document.querySelector('[data-testid=specs-state]')?.textContent.includes('in another tab'));
    await second.screenshot('second-tab');

    await demo.page.close();
    await second.until((banner) => !document.querySelector(`${banner} button`).disabled, banner);
    await second.click('Take over');
    await second.status('Done');
    assert.deepEqual(second.problems, []);
    const lines = await second.timeline();
    assert.ok(indexOfLine(lines, 'Run', 'Resumed') < indexOfLine(lines, 'Verdict', 'Accepted'));
  });
});

/** The interrupted call of each spec has a log of its own. */
const LOGS = {
  '0001-header': ['impl-attempt-1.log', 'impl-attempt-2.log', 'plan-attempt-1.log', 'plan-attempt-2.log', 'plan-attempt-3.log', 'verify-1.log', 'verify-2.log'],
  'area/0002-footer': ['impl-attempt-1.log', 'impl-attempt-2.log', 'plan-attempt-1.log', 'verify-1.log'],
  '0003-title': ['impl-attempt-1.log', 'impl-attempt-2.log', 'plan-attempt-1.log', 'verify-1.log', 'verify-2.log', 'verify-3.log'],
};

/** The names of the logs below a folder, sorted. */
const namesOf = (files, folder) => Object.keys(files).filter((path) => path.startsWith(folder)).map((path) => path.split('/').at(-1)).sort();

/**
 * What the roles do. The plan of the first spec is invalidated once, and the implementation of the last one must be fixed once. One
 * call in each phase is not answered until the page was reloaded.
 */
class Script {
  prompts = [];
  #hang;
  #hanging = new Promise((resolve) => (this.#hang = resolve));
  #left = new Set([`planner ${SPECS.first}`, `builder ${SPECS.nested}`, `verifier ${SPECS.last}`]);

  /** Resolves when a call is not answered. */
  async hanging() {
    await this.#hanging;
    this.#hanging = new Promise((resolve) => (this.#hang = resolve));
  }

  next({ messages }) {
    const [system, { content: prompt }] = messages;
    const role = /You are the (planner|implementer|verifier)/.exec(system.content)[1].replace('implementer', 'builder');
    const spec = /^- spec: (.*)$/m.exec(prompt)[1];
    const plan = /^- plan: (.*)$/m.exec(prompt)[1];
    if (this.#left.delete(`${role} ${spec}`)) {
      this.#hang();
      return undefined;
    }
    this.prompts.push({ role, spec, prompt });
    const turn = this.prompts.filter((before) => before.role === role && before.spec === spec).length;
    const done = (args = {}) => ({ name: 'complete_task', args });
    const source = `src/${/\d+/.exec(spec)[0]}.ts`;
    switch (role) {
      case 'planner':
        return [{ name: 'write_file', args: { path: plan, content: `# Plan ${turn}\n` } }, done()];
      case 'builder':
        return [{ name: 'write_file', args: { path: source, content: `export const turn = ${turn};\n` } }, done()];
      case 'verifier':
        if (spec === SPECS.first && turn === 1) return [done({ verdict: 'invalidate_plan', reason: 'wrong module' })];
        if (spec === SPECS.last && turn === 1) return [done({ verdict: 'fix', reason: 'incomplete', findings: [`${source}:1 has no title`] })];
        return [done({ verdict: 'accept', reason: 'all there' })];
    }
  }
}
