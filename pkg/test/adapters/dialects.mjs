// How services write answers, for servers of tests. An answer is
// `{ text?, calls?: { id, name, args }[], reasoning?, usage?: { input, output, cached?, stored?, reasoning? }, finish?: 'stop' | 'length' | 'content_filter' }`.
// A dialect has
// - `path`, at the end of the address,
// - `stream(answer)`, the events as texts, and `whole(answer)`, the same unstreamed,
// - `end`, the event after which a stream is complete where `stream` has not got it,
// - `refusal({ message, code?, type? })`, the body of an error, and `failure(…)`, the same as an event of a stream,
// - `codes`, names of errors and what the adapter makes of them: `rate-limited`, `unavailable` or `lasting`,
// - `counts`, the parts of usage that it has.

export const event = (data, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

/** Cuts a text in two, so that deltas are pieces. */
const halves = (text) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

const chatUsage = ({ input, output, cached, stored, reasoning }) => ({
  prompt_tokens: input,
  completion_tokens: output,
  ...((cached || stored) && { prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: stored } }),
  ...(reasoning && { completion_tokens_details: { reasoning_tokens: reasoning } }),
});

/** OpenAI's names of errors. */
const OPENAI_CODES = [
  [{ code: 'rate_limit_exceeded', type: 'tokens' }, 'rate-limited'],
  [{ code: 'server_error' }, 'unavailable'],
  [{ type: 'server_error', code: null }, 'unavailable'],
  [{ type: 'overloaded_error' }, 'unavailable'],
  [{ type: 'api_error' }, 'unavailable'],
  [{ code: 'engine_overloaded' }, 'unavailable'],
  [{ code: '503' }, 'unavailable'],
  [{}, 'unavailable'],
  [{ code: 'a_code_of_tomorrow' }, 'unavailable'],
  [{ code: 'insufficient_quota', type: 'insufficient_quota' }, 'lasting'],
  [{ code: 'context_length_exceeded', type: 'invalid_request_error' }, 'lasting'],
  [{ code: null, type: 'invalid_request_error' }, 'lasting'],
  [{ code: 'invalid_prompt' }, 'lasting'],
  [{ message: 'the maximum context length is 8192 tokens' }, 'lasting'],
];

/** OpenAI's chat completions. */
export const chat = {
  path: '/chat/completions',
  counts: ['cached', 'stored', 'reasoning'],
  codes: [...OPENAI_CODES, [{ code: 502 }, 'unavailable'], [{ code: 429 }, 'rate-limited'], [{ code: 429, type: 'insufficient_quota' }, 'lasting'], [{ code: 402 }, 'lasting']],
  end: 'data: [DONE]\n\n',
  stream({ text, calls = [], reasoning, usage, finish }) {
    const chunk = (delta, finish_reason = null) => event({ id: 'c', model: 'm-1', choices: [{ index: 0, delta, finish_reason }] });
    return [
      chunk({ role: 'assistant', content: text === undefined ? null : '' }),
      ...(reasoning ? halves(reasoning).map((part) => chunk({ reasoning_content: part })) : []),
      ...(text ? halves(text).map((part) => chunk({ content: part })) : []),
      ...calls.flatMap(({ id, name, args }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...halves(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
      ...(usage ? [event({ choices: [], usage: chatUsage(usage) })] : []),
    ];
  },
  whole: ({ text, calls = [], reasoning, usage, finish }) => ({
    model: 'm-1',
    choices: [
      {
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(reasoning && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })) }),
        },
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    ...(usage && { usage: chatUsage(usage) }),
  }),
  refusal: (error) => ({ error: { message: 'no', ...error } }),
  failure: (error) => event({ error: { message: 'no', ...error } }),
};

/** OpenAI's Responses API. */
export const responses = {
  path: '/responses',
  counts: ['cached', 'stored', 'reasoning'],
  codes: OPENAI_CODES,
  end: '',
  stream(answer) {
    const { output, ...response } = responses.whole(answer);
    const events = [{ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }];
    for (const [output_index, item] of output.entries()) {
      const at = { output_index, item_id: item.id };
      const add = (type, more) => events.push({ type, ...at, ...more });
      if (item.type === 'reasoning') {
        add('response.output_item.added', { item: { ...item, summary: [], encrypted_content: 'not yet whole' } });
        add('response.reasoning_summary_part.added', { summary_index: 0, part: { type: 'summary_text', text: '' } });
        for (const delta of halves(answer.reasoning)) add('response.reasoning_summary_text.delta', { summary_index: 0, delta });
      } else if (item.type === 'message') {
        add('response.output_item.added', { item: { ...item, status: 'in_progress', content: [] } });
        for (const delta of halves(answer.text)) add('response.output_text.delta', { content_index: 0, delta });
        add('response.output_text.done', { content_index: 0, text: answer.text });
      } else {
        add('response.output_item.added', { item: { ...item, status: 'in_progress', arguments: '' } });
        for (const delta of halves(item.arguments)) add('response.function_call_arguments.delta', { delta });
        add('response.function_call_arguments.done', { arguments: item.arguments });
      }
      events.push({ type: 'response.output_item.done', output_index, item });
    }
    events.push({ type: `response.${response.status}`, response: { ...response, output } });
    return events.map((data, sequence_number) => event({ ...data, sequence_number }, data.type));
  },
  whole({ text, calls = [], reasoning, usage, finish = 'stop' }) {
    const reason = { length: 'max_output_tokens', content_filter: 'content_filter' }[finish];
    const status = reason ? 'incomplete' : 'completed';
    return {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'm-1',
      status,
      error: null,
      incomplete_details: reason ? { reason } : null,
      output: [
        ...(reasoning ? [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: reasoning }], encrypted_content: 'gAAA/+==' }] : []),
        ...(text === undefined ? [] : [{ type: 'message', id: 'msg_1', status, role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }]),
        ...calls.map(({ id, name, args }, at) => ({ type: 'function_call', id: `fc_${at}`, call_id: id, name, arguments: args, status })),
      ],
      usage: usage
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached ?? 0, cache_write_tokens: usage.stored },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
          }
        : null,
    };
  },
  refusal: (error) => ({ error: { message: 'no', ...error } }),
  failure: ({ type, code = type, message = 'no' }) => event({ type: 'error', code: code ?? type ?? null, message, param: null }, 'error'),
};

/** Tokens of the cache are counted apart. */
const messagesUsage = ({ input, output, cached = 0, stored = 0 }) => ({ input_tokens: input - cached - stored, cache_read_input_tokens: cached, cache_creation_input_tokens: stored, output_tokens: output });

/** Anthropic's messages. */
export const messages = {
  path: '/v1/messages',
  counts: ['cached', 'stored'],
  codes: [
    [{ type: 'rate_limit_error' }, 'rate-limited'],
    [{ type: 'overloaded_error' }, 'unavailable'],
    [{ type: 'api_error' }, 'unavailable'],
    [{ type: 'timeout_error' }, 'unavailable'],
    [{}, 'unavailable'],
    [{ type: 'an_error_of_tomorrow' }, 'unavailable'],
    [{ type: 'billing_error' }, 'lasting'],
    [{ type: 'invalid_request_error' }, 'lasting'],
    [{ type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }, 'lasting'],
    [{ type: 'authentication_error' }, 'lasting'],
    [{ type: 'permission_error' }, 'lasting'],
    [{ type: 'not_found_error' }, 'lasting'],
    [{ type: 'request_too_large' }, 'lasting'],
  ],
  end: '',
  stream(answer) {
    const { content, stop_reason, usage, ...message } = messages.whole(answer);
    const events = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } }];
    let calls = 0;
    for (const [index, block] of content.entries()) {
      const [empty, deltas] = {
        thinking: () => [{ thinking: '', signature: '' }, [...halves(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature: block.signature }]],
        text: () => [{ text: '' }, halves(block.text).map((text) => ({ type: 'text_delta', text }))],
        tool_use: () => [{ input: {} }, halves(answer.calls[calls++].args).map((partial_json) => ({ type: 'input_json_delta', partial_json }))],
      }[block.type]();
      events.push({ type: 'content_block_start', index, content_block: { ...block, ...empty } });
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
      events.push({ type: 'content_block_stop', index });
    }
    events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } }, { type: 'message_stop' });
    return events.map((data) => event(data, data.type));
  },
  whole: ({ text, calls = [], reasoning, usage, finish }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-1',
    content: [
      ...(reasoning ? [{ type: 'thinking', thinking: reasoning, signature: 'signed+/==' }] : []),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args || '{}') })),
    ],
    stop_reason: { length: 'max_tokens', content_filter: 'refusal' }[finish] ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: messagesUsage(usage ?? { input: 0, output: 0 }),
  }),
  refusal: ({ type, message = 'no' }) => ({ type: 'error', error: { ...(type && { type }), message } }),
  failure: (error) => event(messages.refusal(error), 'error'),
};
