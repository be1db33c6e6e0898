// How the tests of adapters ask a model, and what they compare.

export const KEY = 'marked-0d1e2f-key';

export const tools = ['read_file', 'write_file'].map((name) => ({
  type: 'function',
  function: { name, description: `calls ${name}`, parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } }, required: ['path'] } },
}));

export const request = { role: 'builder', messages: [{ role: 'user', content: 'hi' }], tools };

/** Asks a model; `deltas` collects what it shows, and `active` counts the signs of activity. */
export function asker(model) {
  const seen = { deltas: [], active: 0 };
  let arrived = () => {};
  const onDelta = (delta) => {
    if (delta.type === 'activity') seen.active += 1;
    else seen.deltas.push(delta);
    arrived();
  };
  return {
    seen,
    ask: async (more = {}, signal = new AbortController().signal) => model({ ...request, ...more }, { signal, onDelta }),
    /** Returns when `condition` holds, which is looked at after each delta. */
    until: (condition) => new Promise((resolve) => {
      arrived = () => condition(seen) && resolve();
      arrived();
    }),
  };
}

/** The texts of all deltas of a type, or of a call. */
export const joined = (deltas, type, id) => deltas.filter((delta) => delta.type === type && (id === undefined || delta.id === id)).map(({ text }) => text).join('');

/** What counts of an answer: its text, its calls and why it ended. */
export const gist = ({ content, tool_calls = [], finish_reason }) => ({
  text: content ?? '',
  calls: tool_calls.map(({ id, type, function: { name, arguments: args } }) => ({ id, type, name, args: JSON.parse(args) })),
  finish: finish_reason,
});

/** The same of an answer of a dialect. */
export const gistOf = ({ text = '', calls = [], finish }) => ({
  text,
  calls: calls.map(({ id, name, args }) => ({ id, type: 'function', name, args: JSON.parse(args) })),
  finish: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
});

/** The answer as a message of the next request. */
export const asMessage = ({ content, tool_calls, providerData }) => ({ role: 'assistant', content, ...(tool_calls && { tool_calls }), ...(providerData !== undefined && { providerData }) });

/** How the core takes an error: it calls the model again unless the error lasts. `src/wasm/error.rs` decides the same. */
export function kindOf({ status, retryAfter, message, code, cause }) {
  const isLost = /fetch failed/.test(message) || [code, cause?.code].some((code) => /^(UND_ERR_|ECONN|NetworkError$)/.test(code));
  if (status === undefined && isLost) return 'unavailable';
  if (status === 429) return 'rate-limited';
  if (status === 408 || (status >= 500 && status <= 599)) return retryAfter === undefined ? 'unavailable' : 'rate-limited';
  return 'lasting';
}

/** The answer or the error. */
export const outcome = (promise) => promise.then((answer) => ({ answer }), (error) => ({ error }));

/** The usage that a model reports for one of a dialect. */
export const usageOf = ({ input, output, cached, stored, reasoning }, { counts }) => ({
  inputTokens: input,
  outputTokens: output,
  ...(counts.includes('cached') && { cachedInputTokens: cached }),
  ...(counts.includes('stored') && { cacheWriteTokens: stored }),
  ...(counts.includes('reasoning') && { reasoningTokens: reasoning }),
});
