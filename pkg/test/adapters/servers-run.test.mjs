// Whole runs with servers that differ a little in every answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { parsed, project, task } from '../project.mjs';
import { event } from './dialects.mjs';

const TURNS = [
  [['read_file', { path: 'README.md' }], ['write_file', { path: 'notes.md', content: 'Buy milk.\n' }]],
  [['write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' }]],
  [['complete_task', {}]],
];

const chunk = (delta, finish_reason = null) => event({ choices: [{ index: 0, delta, finish_reason }] });
const at = (index, id, name, words) => chunk({ tool_calls: [{ index, ...(id && { id }), function: { ...(name && { name }), arguments: words } }] });
const DONE = 'data: [DONE]\n\n';
const each = (calls, write) => calls.map(([name, args], index) => write(name, JSON.stringify(args), index)).join('');
const usual = (calls) => each(calls, (name, args, index) => at(index, `c${index}`, name, '') + at(index, '', '', args));

const CHAT = {
  'no finish reason': (calls) => usual(calls) + DONE,
  'neither a finish reason nor [DONE]': usual,
  'the finish reason tool_call': (calls) => usual(calls) + chunk({}, 'tool_call') + DONE,
  'empty data lines between the chunks': (calls) => (usual(calls) + chunk({}, 'tool_calls')).replaceAll('\n\n', '\n\ndata: \n\n') + DONE,
  'one index and no ids': (calls) => each(calls, (name, args) => at(0, '', name, args)) + chunk({}, 'stop') + DONE,
  'ids that change': (calls) => each(calls, (name, args, index) => at(index, `first-${index}`, name, '') + at(index, `later-${index}`, '', args)) + chunk({}, 'tool_calls') + DONE,
  'an empty object before the arguments': (calls) => each(calls, (name, args, index) => at(index, `c${index}`, name, '{}') + at(index, '', '', args)) + chunk({}, 'tool_calls') + DONE,
};

const items = (calls) => each(calls, (name, args, output_index) => {
  const item = { type: 'function_call', id: `fc_${output_index}`, call_id: `c${output_index}`, name, arguments: '' };
  return event({ type: 'response.output_item.added', output_index, item }) + event({ type: 'response.function_call_arguments.delta', output_index, delta: args });
}) + event({ type: 'response.completed', response: { status: 'completed', output: [] } });

const blocks = (calls) => event({ type: 'message_start', message: { model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } } }) + each(calls, (name, args, index) =>
  event({ type: 'content_block_start', index, content_block: { type: 'tool_use', id: `t${index}`, name, input: {} } }) + event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: args } }) + event({ type: 'content_block_stop', index })) +
  event({ type: 'message_delta', delta: { stop_reason: null } }) + event({ type: 'message_stop' });

const settings = (fetch) => ({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-secret-key', model: 'm', fetch });
const SERVERS = [
  ...Object.entries(CHAT).map(([what, write]) => [what, openAiCompatible, write, 'text/event-stream']),
  ['a label of a text', openAiCompatible, (calls) => usual(calls) + chunk({}, 'tool_calls') + DONE, 'text/plain; charset=utf-8'],
  ['deltas only', openAiResponses, items, 'text/event-stream'],
  ['no reason to stop', anthropic, blocks, 'text/event-stream'],
];

for (const [what, create, write, type] of SERVERS) {
  test(`a run passes with a server with ${what} (${create.name})`, async () => {
    let asked = 0;
    const fetch = async () => new Response(write(TURNS[asked++] ?? []), { headers: { 'content-type': type } });
    const { host, read } = await project({ model: create(settings(fetch)) });
    const result = await runLoop({ ...host, work: { ...task(), parsed } }).result;
    assert.deepEqual([result.reason, read('notes.md'), asked], ['done', 'Buy milk.\n', 3], result.message);
  });
}

test('a rate limit with the status 200 is waited for, and its words are in the event', async () => {
  let asked = 0;
  const limit = () => new Response('{"error":{"message":"Rate limit exceeded: free-models-per-min","code":429}}', { headers: { 'content-type': 'text/event-stream', 'retry-after-ms': '1' } });
  const fetch = async () => (++asked === 1 ? limit() : new Response(usual(TURNS[asked - 2] ?? []) + DONE));
  const { host } = await project({ model: openAiCompatible(settings(fetch)) });
  const run = runLoop({ ...host, work: { ...task(), parsed } });
  const faults = [];
  for await (const event of run) if (event.type === 'iteration-finished' && event.fault) faults.push(event.fault);
  assert.equal((await run.result).reason, 'done');
  assert.deepEqual(faults.map(({ kind }) => kind), ['rate-limited']);
  assert.match(faults[0].message, /Rate limit exceeded: free-models-per-min/);
});
