// One configuration: the models of the roles, the rules, and AGENTS.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { notes, project, task } from './project.mjs';

const CONFIG = `tools: { executors: [{ id: cheap }], planners: [{ id: wise }] }
defaults: { executor: cheap, planner: wise }
rules: [Use pnpm]
`;
const files = { 'README.md': 'hello', 'AGENTS.md': 'Use tabs.\n', 'api/AGENTS.md': 'Use spaces.\n', '.handoff/config.yaml': CONFIG };

test('a role has the model of its id, and its prompt has the rules and AGENTS.md once', async () => {
  const { host } = await project({ files });
  const models = { cheap: scriptedModel(notes), wise: scriptedModel([]) };
  const result = await runLoop({ ...host, models, plan: 'off', work: task() }).result;
  assert.equal(result.success, true, result.message);
  assert.deepEqual([models.cheap.remaining, models.wise.requests.length, host.model.requests.length], [0, 0, 0]);
  const prompt = models.cheap.requests[0].messages[1].content;
  for (const part of ['- Use pnpm\n', 'Use tabs.', '- api/AGENTS.md\n']) assert.equal(prompt.split(part).length, 2, `${part} in ${prompt}`);
  assert.ok(!prompt.includes('Use spaces.'));
});

test('an id without a model is refused before any model call, with the key and its place', async () => {
  const { host, model } = await project({ files, turns: notes });
  const run = runLoop({ ...host, models: { cheap: scriptedModel(notes) }, work: task() });
  await assert.rejects(run.result, (error) => {
    assert.deepEqual([error.code, error.path, error.line], ['invalid-config', '.handoff/config.yaml', 2]);
    assert.match(error.message, /`defaults\.planner`.*"wise"/);
    return true;
  });
  assert.equal(model.requests.length, 0);
});
