// Calls of any content, cut at any place: whole ones have their arguments, and a beginning is no call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiCompatible } from 'loopgate/openai';
import { asker } from './asking.mjs';
import { event } from './dialects.mjs';

const SEED = Number(process.env.SEED ?? 40);

/** Numbers below a limit, the same for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const PARTS = ['{', '}', '[', ']', '"', '\\', '\n', '\t', ':', ',', '{}', '}{', 'a', ' ', 'é', '🦀', '\u2028', '\u0001'];
const tools = [{ type: 'function', function: { name: 'write_file', description: 'writes', parameters: { type: 'object', required: ['path'] } } }];
const at = (words, more) => event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { ...more, arguments: words } }] } }] });

/** The answer of a server that sends these pieces of arguments and ends. */
function answer(pieces) {
  const body = pieces.map((words, n) => at(words, n === 0 ? { name: 'write_file' } : {})).join('');
  return asker(openAiCompatible({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', model: 'm', fetch: async () => new Response(body) })).ask({ tools });
}

test(`arguments of any content in any pieces are one call, and a beginning of them is none (seed ${SEED})`, async () => {
  const below = random(SEED);
  for (let round = 0; round < 400; round++) {
    const words = () => Array.from({ length: below(12) }, () => PARTS[below(PARTS.length)]).join('');
    const given = { path: words(), [words()]: [words(), { [words()]: below(9) }, null, true], content: words() };
    const plain = JSON.stringify(given, null, below(2));
    // Some servers write control characters as they are, and JSON in a JSON string.
    const raw = below(2) ? plain.replaceAll(/\\n/g, (found, place) => (isEscaped(plain, place) ? found : '\n')) : plain;
    const text = below(3) ? raw : JSON.stringify(raw);
    const cuts = Array.from({ length: below(6) }, () => below(text.length + 1)).sort((a, b) => a - b);
    const pieces = [0, ...cuts].map((from, n) => text.slice(from, [...cuts, text.length][n]));
    const { tool_calls } = await answer(pieces);
    assert.deepEqual(tool_calls?.map((call) => JSON.parse(call.function.arguments)), [given], JSON.stringify(pieces));
    const beginning = await answer([text.slice(0, below(text.length - 1) + 1)]);
    assert.deepEqual([beginning.finish_reason, beginning.tool_calls], ['error', undefined], text);
  }
});

/** Whether the backslash at this place belongs to the one before it. */
function isEscaped(text, place) {
  let count = 0;
  while (text[place - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}
