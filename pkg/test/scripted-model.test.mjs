import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedModel } from 'loopgate/testing';

const user = { role: 'user', content: 'go' };
const call = (id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{}' } });
const assistant = (...ids) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
const answer = (id) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const request = (...messages) => ({ role: 'builder', messages, tools: [] });
const context = (signal = new AbortController().signal, onDelta = () => {}) => ({ signal, onDelta });

test('turns are taken in order and counted', async () => {
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
  await assert.rejects(model(request(user), context()), /the script is over: it has 2 turns, and turn 3 was asked for/);
});

test('a turn that is none is named', async () => {
  for (const [turn, words] of [[null, /turn 1 of the script is null: it must be/], [5, /is 5/], [() => undefined, /is undefined/]]) {
    await assert.rejects(scriptedModel([turn])(request(user), context()), words);
  }
});

test('arguments can be wrong on purpose', async () => {
  const model = scriptedModel([{ toolCalls: [{ id: 'x', name: 'f', args: '{"path":' }] }]);
  const { tool_calls } = await model(request(user), context());
  assert.deepEqual(tool_calls, [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{"path":' } }]);
});

test('functions see the request', async () => {
  const model = scriptedModel([({ messages }) => `heard ${messages[0].content}`, async () => ({ text: 'late' })]);
  assert.equal((await model(request(user), context())).content, 'heard go');
  assert.equal((await model(request(user), context())).content, 'late');
});

test('streams pass on their pieces', async () => {
  const heard = [];
  const model = scriptedModel([{ stream: ['a', 'b'], reasoning: 'hm', usage: { inputTokens: 1, outputTokens: 2 } }], { delayMs: 1 });
  const response = await model(request(user), context(undefined, (delta) => heard.push(delta)));
  assert.deepEqual(heard, [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'a' }, { type: 'text', text: 'b' }]);
  assert.deepEqual(response, { content: 'ab', finish_reason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } });
});

test('failing and hanging are on request', async () => {
  const failure = { status: 503 };
  const model = scriptedModel([{ fail: failure }, { hang: true }]);
  await assert.rejects(model(request(user), context()), (thrown) => thrown === failure);
  const controller = new AbortController();
  const hanging = model(request(user), context(controller.signal));
  controller.abort(new Error('enough'));
  await assert.rejects(hanging, /enough/);
  await assert.rejects(model(request(user), context(controller.signal)), /enough/);
});

test('the parser takes only turns that are meant for it', async () => {
  const parser = { role: 'parser', messages: [user], tools: [] };
  const none = { content: null, finish_reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
  const model = scriptedModel(['hello', '{"type":"fresh"}', '[1]', { role: 'parser', text: 'x' }, { role: 'parser', toolCalls: [] }, { hang: true }, () => '{}']);
  assert.deepEqual(await model(parser, context()), none);
  assert.equal((await model(request(user), context())).content, 'hello');
  assert.equal((await model(parser, context())).content, '{"type":"fresh"}');
  assert.deepEqual(await model(parser, context()), none);
  assert.equal((await model(request(user), context())).content, '[1]');
  await assert.rejects(model(request(user), context()), /turn 4 of the script is meant for the parser, and the builder asked/);
  assert.equal((await model(parser, context())).content, 'x');
  assert.equal((await model(parser, context())).content, null);
  assert.deepEqual(await model(parser, context()), none);
  assert.equal(model.remaining, 2);
  assert.equal(model.requests.filter(({ role }) => role === 'parser').length, 3);
  assert.deepEqual(await scriptedModel([])(parser, context()), none);
});

for (const [what, messages, words] of [
  ['unanswered', [user, assistant('a')], /the tool calls a were not answered/],
  ['half answered', [user, assistant('a', 'b'), answer('a')], /the tool calls b were not answered/],
  ['answered too late', [user, assistant('a'), user, answer('a')], /message 2 of 4 \(user\) comes before the answer to the tool call a/],
  ['answered twice', [user, assistant('a'), answer('a'), answer('a')], /answers the tool call a, which was answered already/],
  ['answered out of order', [user, assistant('a', 'b'), answer('b'), answer('a')], /answers the tool call b before a/],
  ['never made', [user, answer('a')], /answers the tool call a, which nobody made/],
  ['made twice', [user, assistant('a'), answer('a'), assistant('a'), answer('a')], /makes a second tool call with the id a/],
]) {
  test(`a tool call that was ${what} is refused`, async () => {
    await assert.rejects(scriptedModel(['x'])(request(...messages), context()), words);
  });
}

test('a conversation in order is taken', async () => {
  const messages = [user, assistant('a', 'b'), answer('a'), answer('b'), assistant('c'), answer('c'), user];
  assert.equal((await scriptedModel(['fine'])(request(...messages), context())).content, 'fine');
});
