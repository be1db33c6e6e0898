import assert from 'node:assert/strict';
import { serveChat, withModel } from './chat-server.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';
const APP = 'export default function App() {\n  return <main><h1>Menu</h1></main>;\n}\n';
const BROKEN_APP = 'export default function App() {\n  return (\n    <main><h1>Menu</h2></main>\n  );\n}\n';

inEachBrowser('an OpenAI-compatible model', (demoTest, differs) => {
  differs.keyboard('is chosen with the keyboard and tested, runs a task to its end, is found again after a reload, and stops at a limit in dollars', async (demo) => {
    const summary = { name: 'write_file', args: { path: '.ralph/summary.md', content: 'The heading is Menu now.' } };
    const turns = [[{ name: 'write_file', args: { path: 'src/App.tsx', content: APP } }, summary], [{ name: 'complete_task', args: {} }], [{ name: 'list_files', args: {} }]];
    const models = [{ id: 'test-model', context_length: 100_000, pricing: { prompt: '0.000002', completion: '0.00001' } }, { id: 'text-embedding' }];
    await withModel({ key: KEY, turns, models, usage: { prompt_tokens: 1000, completion_tokens: 100 } }, async (model) => {
      await demo.open();
      const { keyboard } = demo.page;
      await demo.page.focus('.model-button');
      await keyboard.press('Enter');
      await demo.until(() => document.activeElement.value === 'scripted');
      await keyboard.press('ArrowUp');
      await demo.until(() => document.activeElement.value === 'other' && /Enter the address/.test(document.querySelector('.connection-test').textContent));
      await demo.tabTo(() => document.activeElement.type === 'url');
      await keyboard.type(model.address);
      await keyboard.press('Tab');
      await keyboard.type('wrong');
      await demo.tabTo(() => document.activeElement.hasAttribute('list'));
      await keyboard.type('unknown');
      await demo.until(() => /cannot be listed.*refused the key \(401\)/.test(document.querySelector('#models-note').textContent));
      await test(demo, /refused the key \(401\).*Incorrect API key/);
      await demo.page.locator('.model-fields input[type=password]').fill(KEY);
      await demo.page.focus('.model-fields input[list]');
      await demo.until(() => /1 models?/.test(document.querySelector('#models-note').textContent));
      await test(demo, /not found \(404\).*"unknown" not found/);
      await demo.page.locator('.model-fields input[list]').fill('test-model');
      assert.deepEqual(await demo.page.$$eval('.amount-fields input', (inputs) => inputs.map(({ value }) => value)), ['100000', '', '2', '10'], 'the size and the prices of the list');
      await test(demo, /test-model answers and calls tools/);
      await demo.screenshot('model');
      await demo.useModel();
      await demo.until(() => document.activeElement.matches('.model-button') && document.activeElement.textContent === 'Model: test-model');

      await demo.run('Fix the heading: it must say Menu');
      await demo.status('Done');
      assert.equal((await demo.files())['src/App.tsx'], APP);
      const stored = await demo.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
      assert.ok(!stored.includes(KEY));

      await demo.reload();
      await demo.ready();
      assert.equal(await demo.page.$eval('.model-button', (button) => button.textContent), 'Model: test-model');
      await demo.page.click('.model-button');
      await demo.page.waitForSelector('.model-fields');
      assert.equal(await demo.page.$eval('.provider :checked', ({ value }) => value), 'other');
      assert.deepEqual(await demo.page.$$eval('.model-fields label > input:not([type=checkbox])', (inputs) => inputs.map(({ value }) => value)), [model.address, '', 'test-model', '100000', '', '2', '10']);

      await demo.page.locator('.model-fields input[type=password]').fill(KEY);
      await demo.page.click('.amounts summary');
      await demo.page.locator('.amount-fields label:nth-child(2) input').fill('0.003');
      await keyboard.press('Enter');
      await demo.until(() => !document.querySelector('dialog[open]'));
      await demo.run('Fix the heading: it must say Dishes');
      await demo.status('Budget used up');
      assert.equal(model.requests.length, 3, 'the first call costs $0.003, which is the limit');
    });
  });

  demoTest('gets tools, results of its calls, and the position of a build error', async (demo) => {
    const turns = [[{ name: 'write_file', args: { path: 'src/App.tsx', content: BROKEN_APP } }, { name: 'list_files', args: {} }], [{ name: 'complete_task', args: {} }]];
    await withModel({ key: KEY, turns, signed: true }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Write a menu');
      await demo.lineAppears('Check failed: the project does not build');
      const gate = (await demo.timeline()).find(({ title }) => title === 'Check failed: the project does not build');
      assert.match(gate.detail, /src\/App\.tsx:3:19.*<h1>/);
      assert.equal((await demo.files())['src/App.tsx'], BROKEN_APP);
      await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
      await demo.click('Stop');
      await demo.status('Stopped');

      const [first, second] = model.requests;
      assert.equal(first.path, '/v1/chat/completions');
      assert.equal(first.model, 'test-model');
      assert.ok(first.tools.some((tool) => tool.function.name === 'write_file'));
      const [asked, ...answers] = second.messages.slice(-3);
      assert.deepEqual(asked.tool_calls.map(({ id }) => id), ['call-1-0', 'call-1-1']);
      assert.deepEqual(answers.map(({ role, tool_call_id: id }) => [role, id]), [['tool', 'call-1-0'], ['tool', 'call-1-1']]);
      assert.match(answers[1].content, /src\/main\.tsx/);
    });
  });

  demoTest('parses the message on request, and the parsed task runs', async (demo) => {
    const task = { type: 'fresh', title: 'A menu', requirements: [{ marker: 'ADD', description: 'a menu with three dishes', count: 3 }], preserve: ['the fonts'] };
    await withModel({ key: KEY, turns: [], task }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.write('Write a menu');
      await demo.parsedAs('Write a menu');
      await demo.click('Edit the task');
      await demo.click('Parse with the model');
      await demo.until(() => document.querySelector('.task-editor')?.textContent.includes('by the model'));
      await demo.run();
      await demo.lineAppears('Attempt 1');
      assert.deepEqual(await demo.understood(), ['ADD a menu with three dishes (3 new)', 'PRESERVE the fonts']);
      await demo.click('Stop');
      await demo.status('Stopped');
      assert.match((await demo.files())['.ralph/task.md'], /- \[ADD\] a menu with three dishes/);
    });
  });

  differs.network('shows a refused key, which is not in the project and is kept for the tab on request', async (demo) => {
    await withModel({ key: 'another', turns: [] }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Write a menu');
      await demo.until(() => /refused the key \(401\).*Incorrect API key/.test(document.querySelector('.thread').textContent));
      await demo.stop();
      assert.ok(!JSON.stringify(await demo.files()).includes(KEY));

      await demo.page.click('.model-button');
      await demo.click('Keep the key for this tab', 'dialog[open]');
      await demo.useModel();
      await demo.reload();
      await demo.ready();
      await demo.page.click('.model-button');
      await demo.page.waitForSelector('.model-fields');
      assert.equal(await demo.page.$eval('.model-fields input[type=password]', ({ value }) => value), KEY);
      assert.ok(!(await demo.page.evaluate(() => JSON.stringify({ ...localStorage }))).includes(KEY));
    });
  });

  differs.storage('resumes its run after a reload, and the script never does', async (demo) => {
    const answers = [[{ name: 'write_file', args: { path: 'src/App.tsx', content: APP } }, { name: 'write_file', args: { path: '.ralph/summary.md', content: 'The heading is Menu now.' } }], [{ name: 'complete_task', args: {} }]];
    // Hangs until the page was reloaded.
    let isReloaded = false;
    let hang;
    const hanging = new Promise((resolve) => (hang = resolve));
    await withModel({ key: KEY, turns: () => (isReloaded ? answers.shift() : hang()) }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Fix the heading: it must say Menu');
      await hanging;
      await demo.reload();
      await demo.page.waitForSelector('[aria-label="Unfinished run"]');
      isReloaded = true;
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.openModel('scripted');
      await demo.useModel();
      const buttons = () => demo.page.$$eval('[aria-label="Unfinished run"] button', (buttons) => buttons.map(({ textContent }) => textContent));
      assert.deepEqual(await buttons(), ['Resume with test-model (Other server)', 'Discard']);
      await demo.openModel('ollama');
      await demo.page.locator('.model-fields input[type=text]').fill('qwen3');
      await demo.useModel();
      assert.deepEqual(await buttons(), ['Resume with test-model (Other server)', 'Resume with qwen3 (Ollama)', 'Discard']);
      await demo.screenshot('resume');
      await demo.click('Resume with test-model (Other server)');
      await demo.status('Done');
      assert.equal((await demo.files())['src/App.tsx'], APP);
      assert.equal(await demo.page.$eval('.model-button', (button) => button.textContent), 'Model: test-model');
    });
  });

  differs.network('that cannot be reached is tried six times, with its reason and what to do', async (demo) => {
    const model = await serveChat({ key: KEY, turns: [] });
    await model.close();
    await demo.open();
    await demo.chooseModel({ address: model.address, key: KEY });
    await demo.write('Write a menu');
    await demo.parsedAs('Write a menu');
    await demo.click('Edit the task');
    await demo.click('Parse with the model');
    await demo.until(() => /Cannot reach/.test(document.querySelector('.task-editor [role=alert]')?.textContent));
    await demo.run();
    await demo.until(() => /Cannot reach.*Try \d of 6 in \d+ s/.test(document.querySelector('.wait-card')?.textContent));
    await demo.click('Retry now', '.wait-card');
    await demo.until(() => /Try [3-6] of 6/.test(document.querySelector('.wait-card')?.textContent));
    assert.equal((await demo.attempts()).length, 1, 'the tries are one attempt');
    await demo.screenshot('unreachable');
    await demo.page.evaluate(() => void setInterval(() => document.querySelector('.wait-card .primary')?.click(), 20));
    await demo.status('Failed');
    assert.match(await demo.outcome(), /Cannot reach[^]*Check the network and the address[^]*Try again[^]*Connect another model/);
    assert.equal((await demo.attempts()).length, 1);
  });
});

/** Tests the connection with the button, and waits for the result. */
async function test(demo, result) {
  await demo.click('Test connection', 'dialog[open]');
  await demo.until((result) => new RegExp(result).test(document.querySelector('.test-result')?.textContent), result.source);
}
