import assert from 'node:assert/strict';
import { serveChat } from './chat-server.js';
import { inEachBrowser } from './fixture.js';

const KEY = 'sk-not-a-real-one';
const BROKEN_APP = 'export default function App() {\n  return (\n    <main><h1>Menu</h2></main>\n  );\n}\n';

inEachBrowser('an OpenAI-compatible model', (demoTest) => {
  demoTest('gets tools, results of its calls, and the position of a build error', async (demo) => {
    const turns = [[{ name: 'write_file', args: { path: 'src/App.tsx', content: BROKEN_APP } }, { name: 'list_files', args: {} }], [{ name: 'complete_task', args: {} }]];
    await withModel({ key: KEY, turns, signed: true }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Write a menu');
      await demo.lineAppears('build-succeeds: failed');
      const gate = (await demo.timeline()).find(({ title }) => title === 'build-succeeds: failed');
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
      await demo.click('Parse with the model');
      await demo.parsedAs('by the model');
      assert.deepEqual(await demo.structured(), ['ADD a menu with three dishes (3 new)', 'PRESERVE the fonts']);
      await demo.run();
      await demo.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));
      await demo.until(() => document.querySelector('.task-panel .structured-task')?.textContent.includes('three dishes'));
      await demo.click('Stop');
      await demo.status('Stopped');
      assert.match((await demo.files())['.ralph/task.md'], /- \[ADD\] a menu with three dishes/);
    });
  });

  demoTest('shows a refused key, and the key is not stored', async (demo) => {
    await withModel({ key: 'another', turns: [] }, async (model) => {
      await demo.open();
      await demo.chooseModel({ address: model.address, key: KEY });
      await demo.run('Write a menu');
      await demo.until(() => /refused the key \(401\).*Incorrect API key/.test(document.querySelector('.task-panel').textContent));
      await stopIfRunning(demo);
      const stored = await demo.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
      assert.ok(!stored.includes(KEY));
      assert.ok(!JSON.stringify(await demo.files()).includes(KEY));
      await demo.reload();
      await demo.ready();
      assert.equal(await demo.page.evaluate(() => document.querySelector('#model-scripted').checked), true);
    });
  });

  demoTest('shows that its server cannot be reached', async (demo) => {
    const model = await serveChat({ key: KEY, turns: [] });
    await model.close();
    await demo.open();
    await demo.chooseModel({ address: model.address, key: KEY });
    await demo.run('Write a menu');
    await demo.until(() => document.querySelector('.task-panel').textContent.includes('Cannot reach'));
    await demo.screenshot('unreachable');
    await stopIfRunning(demo);
  });
});

async function withModel(options, body) {
  const model = await serveChat(options);
  try {
    await body(model);
  } finally {
    await model.close();
  }
}

/** After a fault, the run may retry or have ended. */
async function stopIfRunning(demo) {
  await demo.page.evaluate(() => document.querySelector('button.danger')?.click());
  await demo.until(() => !document.querySelector('button.danger'));
}
