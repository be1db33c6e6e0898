// The context window of a model: a conversation is shortened before it exceeds the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { anthropic } from 'loopgate/anthropic';
import { call, notes, project, task } from './project.mjs';

const text = 'a line of a long file\n'.repeat(300);
const reads = Array.from({ length: 20 }, (_, number) => call('read_file', { path: 'long.txt', end: 200 + number }));

test('a conversation that fills the window is shortened, and the task and the last results stay', async () => {
  const { host } = await project({ files: { 'README.md': 'hello', 'long.txt': text }, turns: [...reads, ...notes] });
  const model = Object.assign((request, context) => host.model(request, context), { contextTokens: 16_000 });
  const run = runLoop({ ...host, model, work: task(), plan: 'off' });
  const shortened = [];
  for await (const event of run) if (event.type === 'context-shortened') shortened.push(event);
  assert.equal((await run.result).success, true);
  assert.ok(shortened.length > 0 && shortened.every(({ before, after }) => after < before), JSON.stringify(shortened));
  const first = host.model.requests[0].messages;
  for (const { messages, tools } of host.model.requests) {
    assert.ok(JSON.stringify({ messages, tools }).length / 4 <= 16_000);
    assert.deepEqual(messages.slice(0, 2), first.slice(0, 2));
  }
});

test('a window that is no number of tokens is refused, and adapters have the window as an option', async () => {
  const { host } = await project({ turns: notes });
  for (const contextTokens of [0, -1, NaN, '8k']) {
    const model = Object.assign((request, context) => host.model(request, context), { contextTokens });
    assert.throws(() => runLoop({ ...host, model, work: task() }), { code: 'invalid-argument', message: /contextTokens/ }, String(contextTokens));
  }
  const options = { baseUrl: 'http://localhost:1', model: 'm', contextTokens: 8_000 };
  for (const port of [openAiCompatible, openAiResponses, anthropic]) assert.equal(port(options).contextTokens, 8_000);
});
