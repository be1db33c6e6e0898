import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { openAiCompatible } from 'loopgate/openai';
import { scriptedModel } from 'loopgate/testing';
import { serveChat } from '../../tests/e2e/chat-server.js';
import { project, task } from './project.mjs';

const context = { signal: new AbortController().signal, onDelta() {} };
const asked = { role: 'builder', messages: [{ role: 'user', content: 'hi' }], tools: [] };

/** A model over a service with these responses, and the messages sent to it. */
function over(...responses) {
  const sent = [];
  const model = openAiCompatible({
    baseUrl: 'http://service/v1',
    model: 'm',
    fetch: async (_, { body }) => {
      sent.push(JSON.parse(body).messages);
      return responses.shift();
    },
  });
  return { model, sent };
}

const unstreamed = (message) => Response.json({ choices: [{ message, finish_reason: 'stop' }] });
const streamed = (...deltas) => {
  const chunks = [...deltas.map((delta) => ({ choices: [{ delta }] })), { choices: [{ delta: {}, finish_reason: 'stop' }] }];
  return new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
};
const call = (id, more, args = '{}') => ({ id, type: 'function', function: { name: 'read_file', arguments: args }, ...more });
/** The answer as a message of the next request. */
const asMessage = ({ content, tool_calls, providerData }) => ({ role: 'assistant', content, ...(tool_calls && { tool_calls }), ...(providerData && { providerData }) });
const answers = (calls) => calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));

test('fields added to an unstreamed answer are sent back verbatim in the same places', async () => {
  const message = {
    role: 'assistant',
    content: 'I look.',
    reasoning_content: 'Let me see.',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'abc==', index: 0, id: 'r1' }, { type: 'reasoning.encrypted', data: 'def==', index: 0, id: 'r2' }],
    tool_calls: [call('a', { extra_content: { google: { thought_signature: 'sig+/==' } } }), { ...call('b'), function: { name: 'f', arguments: '{}', provider_specific_fields: { x: [0.1] } } }],
  };
  const { model, sent } = over(unstreamed({ ...message, refusal: null, annotations: [], function_call: null }), unstreamed({ content: 'done' }));
  const answer = await model(asked, context);
  assert.deepEqual(answer.providerData, { reasoning_content: message.reasoning_content, reasoning_details: message.reasoning_details });
  assert.deepEqual(answer.tool_calls[0].providerData, { extra_content: { google: { thought_signature: 'sig+/==' } } });
  await model({ ...asked, messages: [...asked.messages, asMessage(answer), ...answers(answer.tool_calls)] }, context);
  assert.deepEqual(sent[1][1], message);
});

test('fields added to a streamed answer are assembled and sent back', async () => {
  const detail = (more) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'v1', ...more }] });
  const { model, sent } = over(
    streamed(
      { role: 'assistant', content: '', reasoning: null },
      { reasoning: 'Let ', ...detail({ text: 'Let ' }) },
      { reasoning: 'me see.', ...detail({ text: 'me see.', signature: null }) },
      detail({ text: '', signature: 'signed' }),
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, id: 'a', data: 'one' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, id: 'b', data: 'two' }] },
      { content: 'I look.', extra_content: { google: { thought_signature: 'of the text' } } },
      { tool_calls: [{ index: 0, ...call('a', {}, ''), extra_content: { google: { thought_signature: 'of the call' } } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"path":"x"}' }, extra_content: { google: { more: true } } }] },
      { tool_calls: [{ index: 1, ...call('b') }] },
    ),
    unstreamed({ content: 'done' }),
  );
  const answer = await model(asked, context);
  await model({ ...asked, messages: [...asked.messages, asMessage(answer), ...answers(answer.tool_calls)] }, context);
  assert.deepEqual(sent[1][1], {
    role: 'assistant',
    content: 'I look.',
    reasoning: 'Let me see.',
    reasoning_details: [
      { type: 'reasoning.text', index: 0, format: 'v1', text: 'Let me see.', signature: 'signed' },
      { type: 'reasoning.encrypted', index: 0, id: 'a', data: 'one' },
      { type: 'reasoning.encrypted', index: 0, id: 'b', data: 'two' },
    ],
    extra_content: { google: { thought_signature: 'of the text' } },
    tool_calls: [call('a', { extra_content: { google: { thought_signature: 'of the call', more: true } } }, '{"path":"x"}'), call('b')],
  });
});

test('provider data cannot replace fields of a message, and data of another port is not sent', async () => {
  const { model, sent } = over(unstreamed({ content: 'done' }));
  const messages = [
    ...asked.messages,
    { role: 'assistant', content: null, tool_calls: [call('a', { providerData: 'of another port' }), call('b', { providerData: { id: 'x', function: { arguments: 'x' } } })], providerData: { content: 'x', role: 'system' } },
    ...answers([{ id: 'a' }, { id: 'b' }]),
  ];
  await model({ ...asked, messages }, context);
  assert.deepEqual(sent[0][1], { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] });
});

test('a field that the service refuses is left out from then on', async () => {
  const refusal = (words) => Response.json({ error: { message: words } }, { status: 400 });
  const { model, sent } = over(refusal("'messages.1' : property 'reasoning' is unsupported"), unstreamed({ content: 'one' }), unstreamed({ content: 'two' }), refusal('the project is out of region'));
  const messages = [...asked.messages, { role: 'assistant', content: 'hm', providerData: { reasoning: 'because', extra_content: { a: 1 } } }, { role: 'user', content: 'go on' }];
  assert.equal((await model({ ...asked, messages }, context)).content, 'one');
  assert.equal((await model({ ...asked, messages }, context)).content, 'two');
  assert.deepEqual(sent.map(([, answer]) => Object.keys(answer).sort()), [['content', 'extra_content', 'reasoning', 'role'], ['content', 'extra_content', 'role'], ['content', 'extra_content', 'role']]);
  await assert.rejects(model({ ...asked, messages }, context), { status: 400 });
});

test('a run passes with a service that requires its signatures', async (t) => {
  const turns = [
    [{ name: 'list_files', args: {} }, { name: 'read_file', args: { path: 'README.md' } }],
    [{ name: 'write_file', args: { path: 'notes.md', content: 'notes' } }, { name: 'write_file', args: { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' } }],
    [{ name: 'complete_task', args: {} }],
  ];
  const server = await serveChat({ key: 'k', turns, signed: true, models: [{ id: 'gemini' }] });
  t.after(() => server.close());
  const { host, fs } = await project({ model: openAiCompatible({ baseUrl: server.address, apiKey: 'k', model: 'gemini' }) });
  const run = runLoop({ ...host, work: task() });
  const signed = [];
  for await (const event of run) if (event.type === 'tool-call' && event.providerData) signed.push(event);
  assert.equal((await run.result).success, true);
  assert.equal(server.requests.length, 3);
  assert.deepEqual(signed.map(({ id }) => id), ['call-1-0', 'call-2-0', 'call-3-0']);
  const folder = `/project/.loopgate/journal/${run.id}`;
  const journal = fs.readdirSync(folder).map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8')).join('');
  assert.equal(journal.match(/thought_signature/g).length, 3);
});

test("provider data is dropped once another model answers", async () => {
  const turn = (model, path) => ({ model, providerData: { state: [model, 0.1] }, toolCalls: [{ name: 'read_file', args: { path }, providerData: `signed by ${model}` }] });
  const model = scriptedModel([turn('a', 'README.md'), turn('a', 'README.md'), turn('b', 'README.md'), 'done']);
  const { host } = await project({ model });
  await runLoop({ ...host, work: task(), limits: { maxIterations: 1 } }).result;
  const data = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'assistant').map(({ providerData, tool_calls: [first] }) => [providerData?.state[0], first.providerData]));
  const [a, b] = ['a', 'b'].map((name) => [name, `signed by ${name}`]);
  const none = [undefined, undefined];
  assert.deepEqual(data.slice(0, 4), [[], [a], [a, a], [none, none, b]]);
});
