// Dialogues with aimock, a mock server of the providers' APIs that others write.
import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { KEY, asMessage, asker, gist, joined, kindOf, outcome } from './asking.mjs';

const user = (content) => [{ role: 'user', content }];
const call = (name, args, id) => ({ name, arguments: JSON.stringify(args), id });
/** Of every provider. */
const usage = (input, output) => ({ prompt_tokens: input, completion_tokens: output, input_tokens: input, output_tokens: output });

export function dialogues({ check, create, streams, structured }) {
  for (const stream of streams) {
    const how = stream ? 'streamed' : 'unstreamed';
    const start = async (t) => {
      const mock = await LLMock.create({ port: 0, chunkSize: 7 });
      t.after(() => mock.stop());
      return { mock, ...asker(create({ baseUrl: mock.url, stream })) };
    };

    check(`a text, ${how}`, async (t) => {
      const { mock, ask, seen } = await start(t);
      mock.onMessage('hello', { content: 'Héllo, 🦀 and é!', usage: usage(12, 5) });
      const answer = await ask({ messages: [{ role: 'system', content: 'Be brief.' }, ...user('hello')] });
      assert.deepEqual(gist(answer), { text: 'Héllo, 🦀 and é!', calls: [], finish: 'stop' });
      assert.deepEqual([answer.usage.inputTokens, answer.usage.outputTokens], [12, 5]);
      assert.equal(joined(seen.deltas, 'text'), 'Héllo, 🦀 and é!');
      assert.ok(seen.active > 0);
      const [{ headers, body }] = mock.getRequests();
      assert.ok(JSON.stringify(headers).includes(KEY) || Object.values(headers).includes('[REDACTED]'), 'the key is sent');
      assert.deepEqual(body.messages.map(({ role }) => role), ['system', 'user']);
      assert.deepEqual(body.tools.map(({ function: { name } }) => name), ['read_file', 'write_file']);
    });

    check(`several calls in one answer, after a text, ${how}`, async (t) => {
      const { mock, ask, seen } = await start(t);
      const wanted = [call('read_file', { path: 'a' }, 'call_a'), call('write_file', { path: 'b', content: '"é🦀"\n' }, 'call_b'), call('read_file', { path: 'c' }, 'call_c')];
      mock.onMessage('work', { content: 'I look.', toolCalls: wanted });
      const answer = await ask({ messages: user('work') });
      assert.deepEqual(gist(answer), { text: 'I look.', calls: wanted.map(({ id, name, arguments: args }) => ({ id, type: 'function', name, args: JSON.parse(args) })), finish: 'tool_calls' });
      for (const { id, name, arguments: args } of wanted) {
        assert.deepEqual(JSON.parse(joined(seen.deltas, 'tool', id)), JSON.parse(args));
        assert.ok(seen.deltas.every((delta) => delta.id !== id || delta.name === name));
      }
    });

    check(`a conversation of several turns with results of tools, ${how}`, async (t) => {
      const { mock, ask } = await start(t);
      mock.on({ userMessage: 'fix it', hasToolResult: false }, { toolCalls: [call('read_file', { path: 'a' }, 'call_1'), call('read_file', { path: 'b' }, 'call_2')] });
      mock.on({ toolCallId: 'call_2' }, { content: 'I fix it.', toolCalls: [call('write_file', { path: 'a', content: 'x' }, 'call_3')] });
      mock.on({ toolCallId: 'call_3' }, { content: 'It is fixed.' });
      mock.onMessage('and now', { content: 'Nothing more.' });
      const messages = [{ role: 'system', content: 'Fix.' }, ...user('fix it')];
      const texts = [];
      for (let more = true; more; ) {
        const answer = await ask({ messages });
        texts.push(answer.content ?? '');
        messages.push(asMessage(answer));
        for (const { id, function: { name } } of answer.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, name, content: `result of ${id}` });
        more = answer.finish_reason === 'tool_calls';
      }
      messages.push(...user('and now'));
      texts.push((await ask({ messages })).content);
      assert.deepEqual(texts, ['', 'I fix it.', 'It is fixed.', 'Nothing more.']);
      const { messages: received } = mock.getRequests().at(-1).body;
      const calls = received.flatMap(({ tool_calls: list = [] }) => list.map(({ id, function: { name, arguments: args } }) => [id, name, JSON.parse(args)]));
      assert.deepEqual(calls, [['call_1', 'read_file', { path: 'a' }], ['call_2', 'read_file', { path: 'b' }], ['call_3', 'write_file', { path: 'a', content: 'x' }]]);
      const results = received.filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, content]);
      assert.deepEqual(results, ['call_1', 'call_2', 'call_3'].map((id) => [id, `result of ${id}`]));
      const said = received.filter(({ role, content }) => role === 'assistant' && content).map(({ content }) => content);
      assert.deepEqual(said, ['I fix it.', 'It is fixed.']);
    });

    check(`a structured answer, ${how}`, async (t) => {
      const { mock, ask } = await start(t);
      const text = JSON.stringify({ title: 'é', steps: [1, 2] });
      mock.onMessage('parse', structured(text));
      const schema = { type: 'object', properties: { title: { type: 'string' }, steps: { type: 'array', items: { type: 'number' } } }, required: ['title'] };
      const answer = await ask({ role: 'parser', messages: user('parse'), tools: [], responseFormat: { type: 'json_schema', name: 'task', schema } });
      assert.deepEqual(JSON.parse(answer.content), JSON.parse(text));
      assert.deepEqual([answer.finish_reason, answer.tool_calls], ['stop', undefined]);
    });

    check(`an answer that is cut at its limit, ${how}`, async (t) => {
      const { mock, ask } = await start(t);
      mock.onMessage('write', { content: 'as far as it', finishReason: 'length' });
      const { content, finish_reason } = await ask({ messages: user('write'), maxOutputTokens: 4 });
      assert.deepEqual([content, finish_reason], ['as far as it', 'length']);
    });

    check(`errors of the mock server, ${how}`, async (t) => {
      const { mock, ask } = await start(t);
      mock.onMessage('hello', { content: 'hi' });
      for (const [status, kind] of [[429, 'rate-limited'], [500, 'unavailable'], [503, 'unavailable'], [401, 'lasting'], [404, 'lasting']]) {
        mock.nextRequestError(status, { message: 'not now' });
        await assert.rejects(ask({ messages: user('hello') }), (error) => error.status === status && /not now/.test(error.message) && kindOf({ status }) === kind);
      }
      assert.equal((await ask({ messages: user('hello') })).content, 'hi');
    });

    check(`an answer without usage, or with one of zeros, ${how}`, async (t) => {
      const { mock, ask } = await start(t);
      mock.onMessage('hello', { content: 'hi', usage: usage(0, 0) });
      assert.equal((await ask({ messages: user('hello') })).content, 'hi');
    });
  }

  check('reasoning of the mock server is shown, and the conversation goes on', async (t) => {
    const mock = await LLMock.create({ port: 0, chunkSize: 7 });
    t.after(() => mock.stop());
    mock.onMessage('think', { content: 'Done.', reasoning: 'Let me see first.' });
    mock.onMessage('again', { content: 'Done again.' });
    const { ask, seen } = asker(create({ baseUrl: mock.url }));
    const first = await ask({ messages: user('think') });
    assert.equal(joined(seen.deltas, 'reasoning'), 'Let me see first.');
    assert.equal(first.content, 'Done.');
    assert.equal((await ask({ messages: [...user('think'), asMessage(first), ...user('again')] })).content, 'Done again.');
  });

  check('a mock server that cuts the connection', async (t) => {
    const mock = await LLMock.create({ port: 0, chunkSize: 3 });
    t.after(() => mock.stop());
    mock.onMessage('hello', { toolCalls: [call('write_file', { path: 'a', content: 'x'.repeat(200) }, 'call_a')] }, { truncateAfterChunks: 8 });
    const { ask } = asker(create({ baseUrl: mock.url }));
    const { answer, error } = await outcome(ask({ messages: user('hello') }));
    // The connection may break before any of it has arrived.
    if (error) assert.equal(kindOf(error), 'unavailable');
    else assert.deepEqual([answer.finish_reason, answer.tool_calls], ['error', undefined]);
  });
}
