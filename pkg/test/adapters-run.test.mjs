// Whole runs over the adapters: what a service adds goes through the core and back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createAnthropic } from 'ai-sdk-anthropic-v4';
import { runLoop } from 'loopgate';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { parsed, project, task } from './project.mjs';

/** The files that an entry of the package imports, and what else. */
function imported(file, found = new Set()) {
  if (found.has(file) || !file.startsWith('./')) return found.add(file);
  found.add(file);
  for (const [, from] of readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gm)) imported(from, found);
  return found;
}

test('an adapter imports neither another adapter nor the wasm module nor a package', () => {
  const adapters = ['./openai.js', './anthropic.js', './ai-sdk.js', './git.js', './opfs.js'];
  for (const adapter of adapters.slice(0, 3)) {
    const files = [...imported(adapter)];
    assert.ok(files.length > 5 && files.includes('./secrets.js'));
    assert.deepEqual(files.filter((file) => file !== adapter && (adapters.includes(file) || !file.startsWith('./') || /loopgate|init/.test(file))), []);
  }
});

/** An answer of the Messages API with signed thoughts, a text and a call. */
function turn(number, name, input) {
  const blocks = [
    [{ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: `thought ${number}` }, { type: 'signature_delta', signature: `signature ${number}` }],
    [{ type: 'text', text: '' }, { type: 'text_delta', text: `Turn ${number}.` }],
    [{ type: 'tool_use', id: `toolu_${number}`, name, input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(input) }],
  ];
  const events = [
    { type: 'message_start', message: { type: 'message', id: `msg_${number}`, role: 'assistant', model: 'claude', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
  return new Response(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
}

for (const [adapter, connect] of [
  ['anthropic', (fetch) => anthropic({ apiKey: 'k', model: 'claude', fetch })],
  ['aiSdk', (fetch) => aiSdk(createAnthropic({ apiKey: 'k', fetch })('claude'))],
]) {
  test(`a run over ${adapter} succeeds after an overload, and each request has the signed thoughts of the turns before it`, async () => {
    const turns = [
      () => Response.json({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, { status: 529, headers: { 'retry-after-ms': '1' } }),
      () => turn(1, 'write_file', { path: 'notes.md', content: 'Buy milk.' }),
      () => turn(2, 'write_file', { path: '.ralph/summary.md', content: 'The notes are in notes.md.' }),
      () => turn(3, 'complete_task', {}),
    ];
    const sent = [];
    const fetch = async (_, { body }) => {
      sent.push(JSON.parse(body));
      return turns[sent.length - 1]();
    };
    const { host, read } = await project();
    const run = runLoop({ ...host, model: connect(fetch), work: { ...task(), parsed } });
    const result = await run.result;
    assert.equal(result.success, true, result.message);
    assert.equal(read('notes.md'), 'Buy milk.');
    assert.equal(sent.length, 4);
    const said = sent[3].messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    assert.deepEqual(said.map(([thought, text, call]) => [thought, text.text, call.id]), [
      [{ type: 'thinking', thinking: 'thought 1', signature: 'signature 1' }, 'Turn 1.', 'toolu_1'],
      [{ type: 'thinking', thinking: 'thought 2', signature: 'signature 2' }, 'Turn 2.', 'toolu_2'],
    ]);
    const results = sent[3].messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result');
    assert.deepEqual(results.map(({ tool_use_id }) => tool_use_id), ['toolu_1', 'toolu_2']);
  });
}
