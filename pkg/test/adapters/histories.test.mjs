// What the harness makes of answers goes back as a request that the service takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from 'ai-sdk-anthropic-v4';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { asMessage, asker } from './asking.mjs';

const user = { role: 'user', content: 'hi' };

/** A model over answers in place of a service; `sent` has the bodies of its requests. */
function over(connect, ...answers) {
  const sent = [];
  const fetch = async (_, { body }) => {
    sent.push(JSON.parse(body));
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    return typeof answer === 'function' ? answer() : Response.json(answer);
  };
  return { ...asker(connect(fetch)), sent };
}

const CONNECT = {
  anthropic: (fetch) => anthropic({ apiKey: 'sk-secret-key', model: 'claude', fetch }),
  aiSdk: (fetch) => aiSdk(createAnthropic({ apiKey: 'sk-secret-key', fetch })('claude'), { stream: false }),
  openAiCompatible: (fetch) => openAiCompatible({ baseUrl: 'http://x/v1', apiKey: 'sk-secret-key', model: 'm', fetch }),
  openAiResponses: (fetch) => openAiResponses({ apiKey: 'sk-secret-key', model: 'm', fetch }),
};

const message = (content, stop_reason = 'tool_use') => ({ type: 'message', id: 'msg_1', role: 'assistant', model: 'claude', content, stop_reason, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
const thought = { type: 'thinking', thinking: 'Think.', signature: 'signed' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a' } };
const result = { role: 'tool', tool_call_id: 'toolu_1', name: 'read_file', content: 'text' };

/** As the core does: a text without words is none. */
const kept = ({ content, ...rest }) => asMessage({ ...rest, content: content?.trim() ? content : null });

for (const adapter of ['anthropic', 'aiSdk']) {
  test(`${adapter}: thoughts go back although the harness drops a text without words beside them`, async () => {
    const { ask, sent } = over(CONNECT[adapter], message([thought, { type: 'text', text: '\n\n' }, call]));
    const answer = await ask();
    await ask({ messages: [user, kept(answer), result] });
    assert.deepEqual(sent[1].messages[1].content, [thought, call]);
  });

  test(`${adapter}: a text without words among others is left out`, async () => {
    const { ask, sent } = over(CONNECT[adapter], message([thought, { type: 'text', text: '\n\n' }, { ...thought, signature: 'other' }, { type: 'text', text: 'Now.' }, call]));
    const answer = await ask();
    await ask({ messages: [user, kept(answer), result] });
    assert.deepEqual(sent[1].messages[1].content, [thought, { ...thought, signature: 'other' }, { type: 'text', text: 'Now.' }, call]);
  });

  test(`${adapter}: what an answer has that was cut off in a thought, or in a call of the service, does not go back`, async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } };
    for (const cut of [{ type: 'thinking', thinking: 'Thi', signature: '' }, search]) {
      const { ask, sent } = over(CONNECT[adapter], message([{ type: 'text', text: 'Found.' }, cut], 'max_tokens'));
      const answer = await ask();
      await ask({ messages: [user, kept(answer), user] });
      assert.deepEqual(sent[1].messages[1].content, [{ type: 'text', text: 'Found.' }]);
    }
  });
}

const answers = {
  anthropic: message([], 'end_turn'),
  aiSdk: message([], 'end_turn'),
  openAiCompatible: { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] },
  openAiResponses: { output: [], status: 'completed' },
};

for (const [adapter, connect] of Object.entries(CONNECT)) {
  test(`${adapter}: a call of a tool that there is not has a name that the service takes`, async () => {
    for (const [name, sentAs] of [['', 'unnamed'], ['functions.read_file', 'functions_read_file'], ['read file', 'read_file'], ['é', '_'], ['x'.repeat(300), 'x'.repeat(64)]]) {
      const { ask, sent } = over(connect, answers[adapter]);
      const called = { role: 'assistant', content: null, tool_calls: [{ id: 'toolu_1', type: 'function', function: { name, arguments: '{}' } }] };
      await ask({ messages: [user, called, { ...result, name }] });
      const { messages, input } = sent[0];
      assert.equal((input?.[1] ?? messages[1].tool_calls?.[0].function ?? messages[1].content[0]).name, sentAs);
    }
  });

  test(`${adapter}: a call of a tool that is offered keeps its name`, async () => {
    const { ask, sent } = over(connect, answers[adapter]);
    const name = 'their.tool';
    const called = { role: 'assistant', content: null, tool_calls: [{ id: 'toolu_1', type: 'function', function: { name, arguments: '{}' } }] };
    await ask({ messages: [user, called, { ...result, name }], tools: [{ type: 'function', function: { name, description: '', parameters: { type: 'object' } } }] });
    const { messages, input } = sent[0];
    assert.equal((input?.[1] ?? messages[1].tool_calls?.[0].function ?? messages[1].content[0]).name, name);
  });
}

test('ids of calls of another model are those that the Messages API takes', async () => {
  const { ask, sent } = over(CONNECT.anthropic, answers.anthropic);
  const called = { role: 'assistant', content: null, tool_calls: ['functions.read_file:0', 'toolu_1'].map((id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{}' } })) };
  await ask({ messages: [user, called, { ...result, tool_call_id: 'functions.read_file:0' }, result] });
  const ids = sent[0].messages.flatMap(({ content }) => content).flatMap(({ id, tool_use_id }) => id ?? tool_use_id ?? []);
  assert.deepEqual(ids, ['functions_2eread_file_3a0', 'toolu_1', 'functions_2eread_file_3a0', 'toolu_1']);
});

for (const [service, refusal, filled] of [
  ['Moonshot', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1', ({ reasoning_content }) => reasoning_content === ' '],
  ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.', ({ reasoning_content }) => reasoning_content === ' '],
  ['Gemini', 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly', ({ tool_calls: [call] }) => call.extra_content?.google.thought_signature === 'skip_thought_signature_validator'],
]) {
  test(`a conversation goes on at ${service} although the harness dropped the data that it requires`, async () => {
    const sent = [];
    const { ask } = asker(CONNECT.openAiCompatible(async (_, { body }) => {
      sent.push(JSON.parse(body).messages);
      const isRefused = sent.at(-1).some((message) => message.tool_calls && !filled(message));
      return isRefused ? Response.json({ error: { message: 'Provider returned error', metadata: { raw: refusal } } }, { status: 400 }) : Response.json(answers.openAiCompatible);
    }));
    const tool_calls = ['toolu_1', 'toolu_2'].map((id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{"unreadable":"{"}' } }));
    const messages = [user, { role: 'assistant', content: null, tool_calls }, result, { ...result, tool_call_id: 'toolu_2' }];
    await ask({ messages });
    await ask({ messages });
    assert.equal(sent.length, 3);
    assert.equal(sent[2][1].tool_calls[1].extra_content, undefined);
  });
}

test('messages of the user that follow each other are one in chat completions', async () => {
  const { ask, sent } = over(CONNECT.openAiCompatible, answers.openAiCompatible);
  const said = { role: 'assistant', content: 'x' };
  await ask({ messages: [{ role: 'system', content: 's' }, user, { role: 'user', content: 'The harness removed your earliest turns.' }, said, user] });
  assert.deepEqual(sent[0].messages, [{ role: 'system', content: 's' }, { role: 'user', content: 'hi\n\nThe harness removed your earliest turns.' }, said, user]);
});

test('a paused answer that ends in white space goes on', async () => {
  for (const [text, start] of [['Let me search. ', [{ type: 'text', text: 'Let me search.' }]], ['\n', undefined]]) {
    const { ask, sent } = over(CONNECT.anthropic, message([{ type: 'text', text }], 'pause_turn'), message([{ type: 'text', text: 'Found.' }], 'end_turn'));
    assert.equal((await ask()).content, `${text}Found.`);
    assert.deepEqual(sent[1].messages[1]?.content, start);
  }
});

test('a service that pauses without end is not asked without end', async () => {
  const { ask, sent } = over(CONNECT.anthropic, () => {
    if (sent.length > 100) throw new Error('asked without end');
    return Response.json(message([{ type: 'text', text: 'a' }], 'pause_turn'));
  });
  await assert.rejects(ask(), /paused one answer more than 20 times/);
});

test('an abort between two parts of a paused answer ends it, also over a `fetch` that ignores the signal', async () => {
  const aborter = new AbortController();
  const { ask, sent } = over(CONNECT.anthropic, () => {
    aborter.abort(new Error('stop'));
    return Response.json(message([{ type: 'text', text: 'a' }], 'pause_turn'));
  });
  await assert.rejects(ask({}, aborter.signal), /stop/);
  assert.equal(sent.length, 1);
});

test('thoughts that `body` asks for are treated as thoughts of `thinking`', async () => {
  const budget = { type: 'enabled', budget_tokens: 8000 };
  const { ask, sent } = over((fetch) => anthropic({ apiKey: 'k', model: 'm', fetch, body: { thinking: budget } }), answers.anthropic);
  const called = { role: 'assistant', content: null, tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'read_file', arguments: '{}' } }] };
  await ask({ maxOutputTokens: 1000 });
  await ask({ messages: [user, called, result] });
  assert.deepEqual([sent[0].max_tokens, sent[0].thinking, sent[1].thinking], [9000, budget, undefined]);
});
