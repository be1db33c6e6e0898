import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedModel } from 'loopgate/testing';

const user = { role: 'user', content: 'go' };
const call = (id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{}' } });
const assistant = (...ids) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
const answer = (id) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const request = (...messages) => ({ role: 'builder', messages, tools: [] });
const context = (signal = new AbortController().signal, onDelta = () => {}) => ({ signal, onDelta });

test('turns are used in order and counted', async () => {
  const model = scriptedModel(['hello', { text: 'reading', toolCalls: [{ name: 'read_file', args: { path: 'a' } }] }]);
  assert.equal(model.remaining, 2);
  assert.deepEqual(await model(request(user), context()), { content: 'hello', finish_reason: 'stop' });
  assert.deepEqual(await model(request(user), context()), {
    content: 'reading',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
    finish_reason: 'tool_calls',
  });
  assert.equal(model.remaining, 0);
  assert.deepEqual(model.requests, [request(user), request(user)]);
  await assert.rejects(model(request(user), context()), /only 2 turns/);
});

test('an invalid turn is an error', async () => {
  for (const [turn, words] of [[null, /turn 1 .*null/], [5, /5/], [() => undefined, /undefined/]]) {
    await assert.rejects(scriptedModel([turn])(request(user), context()), words);
  }
});

test('string arguments are passed verbatim', async () => {
  const model = scriptedModel([{ toolCalls: [{ id: 'x', name: 'f', args: '{"path":' }] }]);
  const { tool_calls } = await model(request(user), context());
  assert.deepEqual(tool_calls, [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{"path":' } }]);
});

test('a function as a turn gets the request', async () => {
  const model = scriptedModel([({ messages }) => `got ${messages[0].content}`, async () => ({ text: 'late' })]);
  assert.equal((await model(request(user), context())).content, 'got go');
  assert.equal((await model(request(user), context())).content, 'late');
});

test('a stream sends its deltas', async () => {
  const deltas = [];
  const model = scriptedModel([{ stream: ['a', 'b'], reasoning: 'hm', usage: { inputTokens: 1, outputTokens: 2 } }], { delayMs: 1 });
  const response = await model(request(user), context(undefined, (delta) => deltas.push(delta)));
  assert.deepEqual(deltas, [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'a' }, { type: 'text', text: 'b' }]);
  assert.deepEqual(response, { content: 'ab', finish_reason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } });
});

test('a turn can fail or hang', async () => {
  const failure = { status: 503 };
  const model = scriptedModel([{ fail: failure }, { hang: true }]);
  await assert.rejects(model(request(user), context()), (thrown) => thrown === failure);
  const controller = new AbortController();
  const hanging = model(request(user), context(controller.signal));
  controller.abort(new Error('enough'));
  await assert.rejects(hanging, /enough/);
  await assert.rejects(model(request(user), context(controller.signal)), /enough/);
});

test('a request of the parser takes only turns for the parser', async () => {
  const parser = { role: 'parser', messages: [user], tools: [] };
  const none = { content: null, finish_reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
  const model = scriptedModel(['hello', '{"type":"fresh"}', '[1]', { role: 'parser', text: 'x' }, { role: 'parser', toolCalls: [] }, { hang: true }, () => '{}']);
  assert.deepEqual(await model(parser, context()), none);
  assert.equal((await model(request(user), context())).content, 'hello');
  assert.equal((await model(parser, context())).content, '{"type":"fresh"}');
  assert.deepEqual(await model(parser, context()), none);
  assert.equal((await model(request(user), context())).content, '[1]');
  await assert.rejects(model(request(user), context()), /turn 4 .*parser.*builder/);
  assert.equal((await model(parser, context())).content, 'x');
  assert.equal((await model(parser, context())).content, null);
  assert.deepEqual(await model(parser, context()), none);
  assert.equal(model.remaining, 2);
  assert.equal(model.requests.filter(({ role }) => role === 'parser').length, 3);
  assert.deepEqual(await scriptedModel([])(parser, context()), none);
});

for (const [what, messages, words] of [
  ['a call without a result', [user, assistant('a')], /tool calls a .*no result/],
  ['one result for two calls', [user, assistant('a', 'b'), answer('a')], /tool calls b .*no result/],
  ['a message before the result', [user, assistant('a'), user, answer('a')], /message 2 of 4 \(user\).* before .*tool call a/],
  ['two results for a call', [user, assistant('a'), answer('a'), answer('a')], /tool call a, .*already/],
  ['results in the wrong order', [user, assistant('a', 'b'), answer('b'), answer('a')], /tool call b, before .*a/],
  ['a result without a call', [user, answer('a')], /tool call a, .*not exist/],
  ['two calls with the same id', [user, assistant('a'), answer('a'), assistant('a'), answer('a')], /second tool call .*a$/],
]) {
  test(`a conversation with ${what} is refused`, async () => {
    await assert.rejects(scriptedModel(['x'])(request(...messages), context()), words);
  });
}

test('a valid conversation is accepted', async () => {
  const messages = [user, assistant('a', 'b'), answer('a'), answer('b'), assistant('c'), answer('c'), user];
  assert.equal((await scriptedModel(['fine'])(request(...messages), context())).content, 'fine');
});
