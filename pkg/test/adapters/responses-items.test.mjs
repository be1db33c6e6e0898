// What only the Responses API has: items, encrypted reasoning, and the fields of its requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { openAiResponses } from 'loopgate/openai';
import { project, task } from '../project.mjs';
import { asMessage, asker, joined, kindOf, request } from './asking.mjs';
import { event, responses } from './dialects.mjs';
import { json, serve, startStream } from './server.mjs';

/** A model over a server with these answers: bodies of unstreamed ones, or lists of events. */
async function over(t, answers, options = {}) {
  const server = await serve(t, (_, response) => {
    const answer = answers.shift();
    if (!Array.isArray(answer)) return json(response, answer.status ? 200 : 400, answer);
    startStream(response);
    response.end(answer.map((data) => event(data, data.type)).join(''));
  });
  const model = openAiResponses({ baseUrl: `${server.address}/v1`, apiKey: 'k', model: 'm', ...options });
  return { ...asker(model), sent: () => server.asked.map(({ body }) => body), asked: server.asked };
}

const reasoning = (id) => ({ type: 'reasoning', id, summary: [], encrypted_content: `${id}+/==` });
const message = (text, more) => ({ type: 'message', id: `msg_${text}`, status: 'completed', role: 'assistant', content: [{ type: 'output_text', text, annotations: [], logprobs: [] }], ...more });
const call = (id, args = '{"path":"a"}') => ({ type: 'function_call', id: `fc_${id}`, status: 'completed', call_id: id, name: 'read_file', arguments: args });
const completed = (...output) => ({ status: 'completed', output });
const result = (id) => ({ role: 'tool', tool_call_id: id, name: 'read_file', content: 'ok' });
const user = request.messages;

test('a request stores nothing, asks for encrypted reasoning, and has tools, format and limit', async (t) => {
  const { ask, asked } = await over(t, [completed(message('{}'))]);
  const responseFormat = { type: 'json_schema', name: 'task', schema: { type: 'object' } };
  const messages = [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }, { role: 'assistant', content: 'a', tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] }, result('1')];
  await ask({ messages, tools: request.tools.slice(0, 1), responseFormat, maxOutputTokens: 7 });
  const [{ url, headers, body }] = asked;
  const { name, description, parameters } = request.tools[0].function;
  assert.deepEqual([url, headers.authorization], ['/v1/responses', 'Bearer k']);
  assert.deepEqual(body, {
    model: 'm',
    input: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'a' },
      { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'ok' },
    ],
    tools: [{ type: 'function', name, description, parameters, strict: false }],
    max_output_tokens: 7,
    text: { format: { type: 'json_schema', name: 'task', schema: { type: 'object' }, strict: false } },
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
  });
});

test('the address is OpenAI\'s unless another is given', async () => {
  const asked = [];
  const fetch = async (url) => asked.push(url) && Response.json(completed(message('hi')));
  for (const baseUrl of [undefined, 'http://a/v1', 'http://a/v1/responses/', 'http://a/v1?api-version=1']) {
    await asker(openAiResponses({ apiKey: 'k', model: 'm', baseUrl, fetch })).ask();
  }
  assert.deepEqual(asked, ['https://api.openai.com/v1/responses', 'http://a/v1/responses', 'http://a/v1/responses', 'http://a/v1/responses?api-version=1']);
});

test('`body` adds fields, but replaces neither the conversation nor what keeps it in the request', async (t) => {
  const body = {
    reasoning: { effort: 'high' }, text: { verbosity: 'low' }, model: 'other',
    input: 'x', tools: [], stream: false, store: true, include: [], previous_response_id: 'resp_1', conversation: 'c', background: true,
  };
  const { ask, sent } = await over(t, [completed(message('{}'))], { body });
  await ask({ responseFormat: { type: 'json_schema', name: 'task', schema: {} } });
  const [{ reasoning: added, text, model, input, tools, stream, store, include, ...rest }] = sent();
  assert.deepEqual([added, text.verbosity, text.format.name, model], [{ effort: 'high' }, 'low', 'task', 'other']);
  assert.deepEqual([input, tools.length, stream, store, include], [user, 2, true, false, ['reasoning.encrypted_content']]);
  assert.deepEqual(rest, {});
  assert.throws(() => openAiResponses({ model: 'm', body: 'x' }), /`body` must be an object/);
});

const OUTPUT = [reasoning('r1'), message('I look', { phase: 'commentary' }), reasoning('r2'), call('a'), call('b', '{"path":"b"}'), { type: 'tool_of_the_service', id: 't', of: [1] }, message('.')];
const STREAMED = [
  { type: 'response.created', response: { status: 'in_progress', output: [] } },
  ...OUTPUT.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: item.type === 'reasoning' ? { ...item, encrypted_content: 'of the start' } : { ...item, arguments: '' } },
    { type: 'response.output_item.done', output_index, item },
  ]),
];

for (const [how, answer] of [
  ['unstreamed', completed(...OUTPUT)],
  ['streamed', [...STREAMED, { type: 'response.completed', response: completed(...OUTPUT) }]],
  ['streamed one by one only', [...STREAMED, { type: 'response.completed', response: completed() }]],
]) {
  test(`the items of an answer, ${how}, go back verbatim in their order`, async (t) => {
    const { ask, seen, sent } = await over(t, [answer, completed(message('done'))]);
    const first = await ask();
    assert.deepEqual([first.content, first.tool_calls.map(({ id }) => id), first.finish_reason], ['I look.', ['a', 'b'], 'tool_calls']);
    assert.equal(joined(seen.deltas, 'text'), 'I look.');
    assert.equal(joined(seen.deltas, 'tool', 'b'), '{"path":"b"}');
    assert.ok(!JSON.stringify(first.providerData).includes('"arguments"'), 'arguments are not kept twice');
    // As the core stores it.
    const stored = JSON.parse(JSON.stringify([...user, asMessage(first), result('a'), result('b')]));
    await ask({ messages: stored });
    assert.deepEqual(sent()[1].input.slice(1, -2), OUTPUT);
  });
}

test('items follow what the harness made of the answer: other ids, fewer calls, another text', async (t) => {
  const output = [reasoning('r1'), message('the key is k'), call('same'), call('same'), reasoning('r2'), call('c')];
  const { ask, sent } = await over(t, [completed(...output), completed(message('done')), completed(message('done'))]);
  const first = asMessage(await ask());
  const [one, two] = first.tool_calls;
  const kept = { ...first, content: 'the key is [redacted]', tool_calls: [one, { ...two, id: 'other' }] };
  await ask({ messages: [...user, kept, result('same'), result('other')] });
  const { id: _, ...second } = output[3];
  assert.deepEqual(sent()[1].input.slice(1, -2), [output[0], { role: 'assistant', content: 'the key is [redacted]' }, output[2], { ...second, id: 'fc_same', call_id: 'other' }]);

  const { tool_calls, ...silent } = first;
  await ask({ messages: [...user, { ...silent, content: null }, { role: 'user', content: 'go on' }] });
  assert.deepEqual(sent()[2].input, [...user, { role: 'user', content: 'go on' }], 'reasoning does not go back alone');
});

test('data of another adapter is not sent', async (t) => {
  const { ask, sent } = await over(t, [completed(message('done'))]);
  const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, providerData: { x: 1 } }];
  await ask({ messages: [...user, { role: 'assistant', content: 'hm', tool_calls: calls, providerData: { reasoning_content: 'x' } }, result('a'), { role: 'assistant', content: 'so', providerData: { output: 'x' } }] });
  assert.deepEqual(sent()[0].input.slice(1), [{ role: 'assistant', content: 'hm' }, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }, { type: 'function_call_output', call_id: 'a', output: 'ok' }, { role: 'assistant', content: 'so' }]);
});

test('items whose reasoning has no content go back without it and without their ids', async (t) => {
  const { encrypted_content: _, ...empty } = reasoning('r1');
  for (const [item, goesBack] of [[empty, false], [{ ...empty, content: [] }, false], [{ ...empty, content: [{ type: 'reasoning_text', text: 'hm' }] }, true]]) {
    const { ask, sent } = await over(t, [completed(item, call('a')), completed(message('done'))]);
    await ask({ messages: [...user, asMessage(await ask()), result('a')] });
    const { id, status, ...plain } = call('a');
    assert.deepEqual(sent()[1].input.slice(1, -1), goesBack ? [item, call('a')] : [plain]);
  }
});

test('encrypted reasoning is left out from then on if the server refuses it, and so is streaming', async (t) => {
  const refusal = (words) => ({ error: { message: words } });
  const { ask, sent } = await over(t, [
    completed(reasoning('r1'), message('one')),
    refusal('The encrypted content for item r1 could not be verified.'),
    refusal('Streaming is not supported'),
    completed(message('two')),
    completed(message('three')),
    refusal('Streaming is not supported'),
  ]);
  const first = asMessage(await ask());
  const messages = [...user, first, ...user];
  assert.equal((await ask({ messages })).content, 'two');
  assert.equal((await ask({ messages })).content, 'three');
  await assert.rejects(ask({ messages }), { status: 400 });
  assert.deepEqual(sent().map(({ include, stream, input }) => [include?.length, stream, input.some(({ type }) => type === 'reasoning')]), [
    [1, true, false],
    [1, true, true],
    [undefined, true, false],
    ...Array(3).fill([undefined, undefined, false]),
  ]);
});

test('refusals are the text, and parts of a summary are separate', async (t) => {
  const refused = message('', { content: [{ type: 'refusal', refusal: 'I will not.' }] });
  const { ask, seen } = await over(t, [
    [
      { type: 'response.reasoning_summary_part.added', summary_index: 0 },
      { type: 'response.reasoning_summary_text.delta', delta: 'one' },
      { type: 'response.reasoning_summary_part.added', summary_index: 1 },
      { type: 'response.reasoning_summary_text.delta', delta: 'two' },
      { type: 'response.refusal.delta', delta: 'I will ' },
      { type: 'response.refusal.delta', delta: 'not.' },
      { type: 'response.completed', response: completed(refused) },
    ],
    completed(refused),
  ]);
  const { content, finish_reason } = await ask();
  assert.deepEqual([content, finish_reason], ['I will not.', 'stop']);
  assert.deepEqual([joined(seen.deltas, 'reasoning'), joined(seen.deltas, 'text')], ['one\n\ntwo', 'I will not.']);
  assert.equal((await ask()).content, 'I will not.');
});

test('a response that failed is retried like its HTTP counterpart', async (t) => {
  const failed = (error) => ({ status: 'failed', error, output: [] });
  for (const [error, kind] of [...responses.codes.map(([{ code, type, message = 'no' }, kind]) => [{ code: code ?? type, message }, kind]), [null, 'unavailable']]) {
    const { ask } = await over(t, [[{ type: 'response.failed', response: failed(error) }], failed(error)]);
    for (const how of ['streamed', 'unstreamed']) await assert.rejects(ask(), (thrown) => kindOf(thrown) === kind, `${how} ${JSON.stringify(error)}`);
  }
});

test('an incomplete answer has its reason and no provider data', async (t) => {
  for (const [details, finish] of [[{ reason: 'max_output_tokens' }, 'length'], [{ reason: 'content_filter' }, 'content_filter'], [null, 'length'], [{ reason: 'odd' }, 'error']]) {
    const { ask } = await over(t, [{ status: 'incomplete', incomplete_details: details, output: [message('half'), reasoning('r1')] }]);
    const { finish_reason, content, providerData } = await ask();
    assert.deepEqual([finish_reason, content, providerData], [finish, 'half', undefined]);
  }
});

test('a run passes with a service that requires its reasoning before each call', async (t) => {
  const turns = [
    ['write_file', { path: 'notes.md', content: 'notes' }],
    ['write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' }],
    ['complete_task', {}],
  ];
  let builds = 0;
  const server = await serve(t, ({ input, text }, response) => {
    if (text?.format) return json(response, 200, completed(message('')));
    const calls = input.flatMap(({ type }, at) => (type === 'function_call' ? [input[at - 1]] : []));
    const wrong = calls.findIndex((before, at) => before?.encrypted_content !== `r${at}+/==`);
    if (wrong >= 0) return json(response, 400, { error: { message: `call ${wrong} was provided without its required 'reasoning' item` } });
    const [name, args] = turns[builds];
    json(response, 200, completed(reasoning(`r${builds}`), { ...call(`c${builds++}`, JSON.stringify(args)), name }));
  });
  const { host, read } = await project({ model: openAiResponses({ baseUrl: server.address, model: 'm' }) });
  const { success, message: words } = await runLoop({ ...host, work: task() }).result;
  assert.equal(success, true, words);
  assert.equal(read('notes.md'), 'notes');
  assert.equal(builds, 3);
});
