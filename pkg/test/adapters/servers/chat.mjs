// Answers of servers of chat completions that differ a little, as bytes, and what an adapter makes of them:
// - `calls`, pairs of a tool and its arguments, and `text`, what the answer has; `finish`, if it is not what follows from them,
// - `broken`, the answer is asked for again and has no call, or
// - `error`, a status and the words of the server,
// - `sdk`, why the AI SDK's providers make something else of it.
import { event } from '../dialects.mjs';

const chunk = (delta, finish_reason = null) => event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [{ index: 0, delta, finish_reason }] });
const piece = (call, finish_reason) => chunk({ tool_calls: [call] }, finish_reason);
/** A piece of a call; without a name, it has only arguments. */
const at = (index, id, name, words) => piece({ ...(index !== undefined && { index }), ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: words } });
const DONE = 'data: [DONE]\n\n';
const role = chunk({ role: 'assistant', content: null });

const FILE = { path: 'notes.md', content: 'Buy milk.\n' };
const ARGS = JSON.stringify(FILE);
const halves = [ARGS.slice(0, 9), ARGS.slice(9)];
const write = ['write_file', FILE];
const read = ['read_file', { path: 'a' }];
const READ = '{"path":"a"}';
/** A call in pieces, as most servers send it. */
const usual = [role, at(0, 'call_1', 'write_file', ''), ...halves.map((half) => at(0, '', '', half))].join('');
const whole = (message, finish_reason = 'tool_calls') => JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm-1', choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }] });
const call = (name, words, more = {}) => ({ id: `call_${name}`, type: 'function', function: { name, arguments: words }, ...more });
const end = (reason) => chunk({}, reason);
const text = chunk({ content: 'Hello.' });

const sdk = {
  joins: 'the SDK joins pieces by their index alone',
  placeholder: 'the SDK takes the first complete JSON',
  labels: 'the SDK reads a stream only where it asked for one, and JSON only where it asked for that',
  types: 'the SDK refuses chunks of another shape',
  words: 'the SDK ends at words that are no JSON',
};

export const cases = {
  // The end of a stream.
  'no finish reason, then [DONE]': { body: usual + DONE, calls: [write] },
  'no finish reason and no [DONE]': { body: usual, calls: [write] },
  'an empty finish reason': { body: usual + end('') + DONE, calls: [write], sdk: sdk.types },
  'no last line break': { body: (usual + end('tool_calls') + DONE).trimEnd(), calls: [write] },
  'a call without arguments, then [DONE]': { body: role + at(0, 'call_1', 'list_files', '') + DONE, calls: [['list_files', {}]], sdk: 'the SDK passes on no call without arguments' },
  'a call with an empty object, then the end': { body: role + at(0, 'call_1', 'list_files', '{}'), calls: [['list_files', {}]] },
  'a text, then the end': { body: role + text, text: 'Hello.' },
  'a text, then [DONE]': { body: role + text + DONE, text: 'Hello.' },
  'a text and an unknown finish reason': { body: role + text + end('finished_by_model') + DONE, text: 'Hello.' },
  'nothing, then [DONE]': { body: role + DONE, broken: true },
  'nothing but the start': { body: role, broken: true },
  'thoughts, then the end': { body: chunk({ reasoning_content: 'Hm.' }), broken: true },
  'half a call, then the end': { body: role + at(0, 'call_1', 'write_file', '') + at(0, '', '', halves[0]), broken: true },
  'half a call, then [DONE]': { body: role + at(0, 'call_1', 'write_file', '') + at(0, '', '', halves[0]) + DONE, broken: true },
  'the name of a call, then the end': { body: role + at(0, 'call_1', 'list_files', ''), broken: true },
  'a stand-in for the arguments, then the end': { body: role + at(0, 'call_1', 'write_file', '{}'), broken: true },
  'a call and half of another one, then the end': { body: usual + at(1, 'call_2', 'read_file', '{"path'), broken: true },
  'the end within an event': { body: usual + 'data: {"choices":[{"del', broken: true, sdk: 'the SDK passes over it' },
  'the end within the name of a field': { body: `${usual}eve`, broken: true, sdk: 'the SDK passes over it' },
  'a failure as finish reason': { body: role + text + end('network_error') + DONE, broken: true, sdk: 'the SDK takes it for a reason of the service' },

  // Finish reasons.
  ...Object.fromEntries(['tool_call', 'tool_use', 'TOOL_CALLS', 'tool-calls', 'function_call', 'stop', 'end_turn', 'STOP', 'eos', 'unheard_of'].map((reason) => [`a call and the finish reason ${reason}`, { body: usual + end(reason) + DONE, calls: [write] }])),
  ...Object.fromEntries([['MAX_TOKENS', 'length'], ['max_new_tokens', 'length'], ['model_length', 'length'], ['SAFETY', 'content_filter'], ['content-filter', 'content_filter'], ['sensitive', 'content_filter']].map(([reason, finish]) => [`a text and the finish reason ${reason}`, { body: role + text + end(reason) + DONE, text: 'Hello.', finish, sdk: 'the SDK does not know the reason' }])),

  // Labels.
  'a stream that is labelled as a text': { body: usual + end('tool_calls') + DONE, type: 'text/plain; charset=utf-8', calls: [write] },
  'a stream that is labelled as JSON': { body: usual + end('tool_calls') + DONE, type: 'application/json', calls: [write] },
  'a stream without a label': { body: usual + end('tool_calls') + DONE, type: '', calls: [write] },
  'JSON that is labelled as a stream': { body: whole({ tool_calls: [call('write_file', ARGS)] }), calls: [write], sdk: sdk.labels },
  'JSON without a label': { body: `\n ${whole({ content: 'Hello.' }, 'stop')}\n`, type: '', text: 'Hello.', sdk: sdk.labels },
  'indented JSON that is labelled as a stream': { body: JSON.stringify(JSON.parse(whole({ content: 'Hello.' }, 'stop')), null, 2), text: 'Hello.', sdk: sdk.labels },
  'half of a JSON answer': { body: whole({ tool_calls: [call('write_file', ARGS)] }).slice(0, 150), type: 'application/json', broken: true, sdk: sdk.labels },
  'a whole answer in one event': { body: `data: ${whole({ tool_calls: [call('write_file', ARGS)] })}\n\n${DONE}`, calls: [write], sdk: sdk.labels },
  'chunks as lines of JSON': { body: usual.replaceAll(/^data: /gm, '').replaceAll('\n\n', '\n'), type: 'application/x-ndjson', calls: [write], sdk: sdk.labels },
  'a list with an answer': { body: `[${whole({ content: 'Hello.' }, 'stop')}]`, type: 'application/json', text: 'Hello.', sdk: sdk.labels },
  'events without blank lines between them': { body: (usual + end('tool_calls') + DONE).replaceAll('\n\n', '\n'), calls: [write], sdk: sdk.labels },
  'a byte order mark': { body: `\ufeff${usual}${DONE}`, calls: [write] },

  // Heartbeats.
  ...Object.fromEntries(
    [['an empty data line', 'data: \n\n'], ['a data line without a space', 'data:\n\n'], ['an event without data', 'event: ping\n\n'], ['a comment', ': OPENROUTER PROCESSING\n\n'], ['a word', 'data: ping\n\n'], ['a word in brackets', 'data: [HEARTBEAT]\n\n']].map(
      ([what, beat]) => [`${what} between chunks`, { body: beat + (usual + end('tool_calls')).replaceAll('\n\n', `\n\n${beat}`) + DONE, calls: [write] }],
    ),
  ),
  ...Object.fromEntries([['an empty object', '{}'], ['null', 'null'], ['an object of the type ping', '{"type":"ping"}']].map(([what, beat]) => [`${what} between chunks`, { body: (usual + end('tool_calls')).replaceAll('\n\n', `\n\ndata: ${beat}\n\n`) + DONE, calls: [write], sdk: sdk.types }])),

  // Calls.
  'two calls with one index and no ids': { body: role + at(0, '', 'read_file', READ) + at(0, '', 'write_file', ARGS) + end('stop') + DONE, calls: [read, write], sdk: sdk.joins },
  'two calls of one tool with one index and no ids': { body: role + at(0, '', 'read_file', READ) + at(0, '', 'read_file', '{"path":"b"}') + end('stop') + DONE, calls: [read, ['read_file', { path: 'b' }]], sdk: sdk.joins },
  'two calls with neither index nor id': { body: role + at(undefined, '', 'read_file', READ) + at(undefined, '', 'write_file', halves[0]) + at(undefined, '', '', halves[1]) + end('stop') + DONE, calls: [read, write], sdk: sdk.joins },
  'two calls in pieces with one index': { body: role + at(0, 'a', 'read_file', '') + at(0, '', '', READ) + at(0, 'b', 'write_file', '') + halves.map((half) => at(0, '', '', half)).join('') + DONE, calls: [read, write], sdk: sdk.joins },
  'two objects of arguments in one call': { body: role + at(0, 'a', 'read_file', `${READ}{"path":"b"}`) + DONE, calls: [read, ['read_file', { path: 'b' }]], sdk: sdk.joins },
  'an id that changes within a call': { body: role + at(0, 'first-1', 'write_file', '') + halves.map((half) => at(0, 'later-1', '', half)).join('') + end('tool_calls') + DONE, calls: [write] },
  'an id that changes with each piece, without an index': { body: role + at(undefined, 'first-1', 'write_file', '') + halves.map((half, n) => at(undefined, `later-${n}`, '', half)).join('') + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'a name in each piece': { body: role + at(0, 'a', 'write_file', '') + halves.map((half) => at(0, 'a', 'write_file', half)).join('') + end('tool_calls') + DONE, calls: [write] },
  'a name in each piece, with another id in each': { body: role + ['', ...halves].map((half, n) => at(0, `id-${n}`, 'write_file', half)).join('') + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'an empty object before the arguments': { body: role + at(0, 'a', 'write_file', '{}') + halves.map((half) => at(0, '', '', half)).join('') + end('tool_calls') + DONE, calls: [write], sdk: sdk.placeholder },
  'an empty object after the arguments': { body: usual + at(0, '', '', '{}') + end('tool_calls') + DONE, calls: [write], sdk: sdk.placeholder },
  'all arguments again at the end': { body: usual + at(0, 'call_1', 'write_file', ARGS) + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'the whole call again at the end, with another id': { body: usual + at(0, 'final_1', 'write_file', ARGS) + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'an empty object before the arguments, and another id and the name after it': { body: role + at(0, 'a', 'write_file', '{}') + at(0, 'b', 'write_file', ARGS) + end('tool_calls') + DONE, calls: [write], sdk: sdk.placeholder },
  'all arguments again at the end, spelt otherwise': { body: usual + at(0, '', '', JSON.stringify(FILE, null, 1)) + end('tool_calls') + DONE, calls: [write] },
  'all arguments twice in one piece': { body: role + at(0, 'a', 'write_file', ARGS + ARGS) + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'arguments as an object': { body: role + piece({ index: 0, id: 'a', type: 'function', function: { name: 'write_file', arguments: FILE } }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'arguments as JSON in a JSON string': { body: role + at(0, 'a', 'write_file', JSON.stringify(ARGS)) + end('tool_calls') + DONE, calls: [write] },
  'a raw line break and a tab in a string': { body: role + at(0, 'a', 'write_file', '{"path":"notes.md","content":"Buy\n\tmilk."}') + end('tool_calls') + DONE, calls: [['write_file', { path: 'notes.md', content: 'Buy\n\tmilk.' }]], sdk: 'the SDK passes on no call that is not JSON' },
  'raw line breaks in JSON in a JSON string': { body: role + at(0, 'a', 'write_file', JSON.stringify('{"path":"notes.md","content":"Buy\n\tmilk."}')) + end('tool_calls') + DONE, calls: [['write_file', { path: 'notes.md', content: 'Buy\n\tmilk.' }]] },
  'an id that is empty or null': { body: role + piece({ index: 0, id: null, type: 'function', function: { name: 'read_file', arguments: READ } }) + piece({ index: 1, id: '', type: 'function', function: { name: 'write_file', arguments: ARGS } }) + DONE, calls: [read, write], sdk: sdk.types },
  'interleaved calls': { body: role + at(0, 'a', 'read_file', '') + at(1, 'b', 'write_file', '') + at(0, '', '', '{"path"') + at(1, '', '', halves[0]) + at(0, '', '', ':"a"}') + at(1, '', '', halves[1]) + DONE, calls: [read, write] },
  'the function of older servers': { body: role + chunk({ function_call: { name: 'write_file', arguments: halves[0] } }) + chunk({ function_call: { arguments: halves[1] } }) + end('function_call') + DONE, calls: [write], sdk: 'the SDK does not know it' },
  'unstreamed calls with one index and one id': { body: whole({ tool_calls: [call('read_file', READ, { id: 'a', index: 0 }), call('write_file', ARGS, { id: 'a', index: 0 })] }), type: 'application/json', calls: [read, write], sdk: sdk.labels },
  'unstreamed arguments as an object': { body: whole({ tool_calls: [call('write_file', FILE)] }, null), type: 'application/json', calls: [write], sdk: sdk.labels },
  'arguments that are no JSON reach the core as they are': { body: role + at(0, 'a', 'read_file', '{"path":a}') + end('tool_calls') + DONE, raw: [['read_file', '{"path":a}']], sdk: 'the SDK passes on no call that is not JSON' },
  'half a call with a finish reason reaches the core as it is': { body: role + at(0, 'a', 'read_file', '{"path":"a') + end('tool_calls') + DONE, raw: [['read_file', '{"path":"a']], sdk: 'the SDK passes on no call that is not JSON' },

  'indexes as strings': { body: role + at('0', 'a', 'read_file', READ) + at('1', 'b', 'write_file', ARGS) + end('tool_calls') + DONE, calls: [read, write], sdk: sdk.types },
  'indexes that begin at one': { body: role + at(1, 'a', 'read_file', READ) + at(2, 'b', 'write_file', ARGS) + end('tool_calls') + DONE, calls: [read, write] },
  'all calls in one chunk, with neither index nor id': { body: role + chunk({ tool_calls: [{ function: { name: 'read_file', arguments: READ } }, { function: { name: 'write_file', arguments: ARGS } }] }) + DONE, calls: [read, write], sdk: sdk.joins },
  'a name that comes after the arguments': { body: role + at(0, 'a', '', ARGS) + at(0, '', 'write_file', '') + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'a piece whose arguments are null': { body: role + piece({ index: 0, id: 'a', type: 'function', function: { name: 'write_file', arguments: null } }) + halves.map((half) => at(0, '', '', half)).join('') + DONE, calls: [write], sdk: sdk.types },
  'arguments that are null, for a tool that needs none': { body: role + at(0, 'a', 'list_files', 'null') + end('tool_calls') + DONE, calls: [['list_files', {}]] },
  'a brace that begins a piece within a string': { body: role + at(0, 'a', 'write_file', '{"path":"a","content":"f() ') + at(0, '', '', '{ return {}; }') + at(0, '', '', '"}') + DONE, calls: [['write_file', { path: 'a', content: 'f() { return {}; }' }]] },
  'usage in a chunk without choices': { body: usual + event({ usage: { prompt_tokens: 9, completion_tokens: 4 } }) + DONE, calls: [write], sdk: sdk.types },
  'a chunk whose delta is null': { body: usual + event({ choices: [{ index: 0, delta: null, finish_reason: 'tool_calls' }] }) + DONE, calls: [write] },
  'a chunk with an empty choice': { body: usual + event({ choices: [{}] }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'the whole message beside an empty delta at the end': { body: usual + event({ choices: [{ index: 0, delta: {}, message: { content: null, tool_calls: [call('write_file', ARGS)] }, finish_reason: 'tool_calls' }] }) + DONE, calls: [write] },
  'a name on each event': { body: (usual + end('tool_calls') + DONE).replaceAll(/^data: /gm, 'event: message\ndata: '), calls: [write] },
  'white space around a JSON answer and a byte order mark': { body: `\ufeff\r\n  ${whole({ tool_calls: [call('write_file', ARGS)] })}\r\n`, type: 'text/plain', calls: [write], sdk: sdk.labels },

  'an index that counts pieces': { body: role + at(0, 'a', 'write_file', '') + piece({ index: 1, id: 'a', function: { arguments: halves[0] } }) + piece({ index: 2, id: 'a', function: { arguments: halves[1] } }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'arguments at the next index, with neither id nor name': { body: role + at(0, 'a', 'write_file', '') + halves.map((half) => at(1, '', '', half)).join('') + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'an empty call beside a text': { body: role + text + piece({ index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }) + end('stop') + DONE, text: 'Hello.', sdk: sdk.types },
  'an empty call after the last one': { body: usual + piece({ index: 1, id: '', type: 'function', function: { name: '', arguments: '' } }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'calls that are null or empty': { body: whole({ content: 'Hello.', tool_calls: [null, {}], function_call: { name: null, arguments: null } }, 'stop'), type: 'application/json', text: 'Hello.', sdk: sdk.labels },
  'a call whose fields are not in a function': { body: role + piece({ index: 0, id: 'a', name: 'write_file', arguments: ARGS }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'parameters in place of arguments': { body: whole({ tool_calls: [{ id: 'a', type: 'function', function: { name: 'write_file', parameters: FILE } }] }), type: 'application/json', calls: [write], sdk: sdk.labels },
  'one call that is not in a list': { body: role + chunk({ tool_calls: { index: 0, ...call('write_file', ARGS) } }) + end('tool_calls') + DONE, calls: [write], sdk: sdk.types },
  'a call in both forms': { body: role + chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'write_file', arguments: '' } }], function_call: { name: 'write_file', arguments: '' } }) + halves.map((half) => chunk({ tool_calls: [{ index: 0, function: { arguments: half } }], function_call: { arguments: half } })).join('') + DONE, calls: [write] },
  'a text and a call in two choices': { body: JSON.stringify({ choices: [{ index: 0, message: { content: 'I write.' }, finish_reason: 'tool_calls' }, { index: 1, message: { content: null, tool_calls: [call('write_file', ARGS)] }, finish_reason: 'tool_calls' }] }), type: 'application/json', text: 'I write.', calls: [write], sdk: sdk.labels },
  'pieces of two choices by turns': { body: halves.map((half, at) => [0, 1].map((index) => event({ choices: [{ index, delta: { tool_calls: [{ index: 0, ...(at === 0 && { id: `c${index}`, type: 'function' }), function: { ...(at === 0 && { name: 'write_file' }), arguments: half } }] } }] })).join('')).join('') + end('tool_calls') + DONE, calls: [write], sdk: sdk.joins },
  'the whole message at the end of a stream': { body: chunk({ content: 'Hel' }) + chunk({ content: 'lo.' }) + event({ object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }] }), text: 'Hello.', sdk: sdk.types },
  'a refusal beside an empty text': { body: whole({ content: '', refusal: 'I cannot help.' }, 'stop'), type: 'application/json', text: 'I cannot help.', sdk: sdk.labels },
  ...Object.fromEntries(['data: "[DONE]"\n\n', 'data: DONE\n\n', 'event: done\ndata: end\n\n', 'event: end\n', 'data: OPENROUTER PROCESSING\n\n', 'data: keep-alive ping\n\n'].map((last) => [`no finish reason, and the last event is ${JSON.stringify(last)}`, { body: usual + last, calls: [write], sdk: sdk.words }])),
  'a prefix twice, or after a space': { body: (usual + end('tool_calls')).replaceAll(/^data: /gm, 'data: data: ') + ` ${DONE}`, calls: [write], sdk: sdk.types },
  'comments, then JSON over several lines': { body: `: OPENROUTER PROCESSING\n\n${JSON.stringify(JSON.parse(whole({ tool_calls: [call('write_file', ARGS)] })), null, 2)}`, calls: [write], sdk: sdk.labels },
  ...Object.fromEntries([['an empty body without a label', '', ''], ['an empty body with the label of JSON', 'application/json', ''], ['a body of empty lines', 'application/json', '\n\n\n'], ['a body of comments', 'text/plain', ': ping\n\n']].map(([what, type, body]) => [what, { body, type, broken: true, sdk: sdk.labels }])),

  // Errors with the status 200.
  'an error in a line of its own after a text, then [DONE]': { body: role + text + 'error: {"code":500,"message":"failed to decode the batch","type":"server_error"}\n\n' + DONE, error: [500, 'failed to decode'], sdk: sdk.words },
  'words of an error after a text, then [DONE]': { body: role + text + 'data: upstream connect error\n\n' + DONE, error: [500, 'upstream connect error'], sdk: sdk.words },
  'an error over several lines after a text': { body: `${role}${text}{\n  "error": {\n    "message": "The model is overloaded",\n    "code": 503\n  }\n}\n`, error: [503, 'The model is overloaded'], sdk: sdk.words },
  'the words of a provider in an error of a router': { body: event({ error: { message: 'Provider returned error', code: 429, metadata: { raw: 'qwen is temporarily rate-limited upstream' } } }), error: [429, 'temporarily rate-limited upstream'], sdk: sdk.words },
  'throttling that speaks of tokens': { body: '{"__type":"ThrottlingException","message":"Too many tokens, please wait before trying again."}', error: [429, 'please wait'], sdk: sdk.labels },
  'errors in a list': { body: event({ errors: [{ message: 'the tier is used up', code: 'insufficient_quota' }] }), error: [402, 'used up'], sdk: sdk.words },
  'an error with a code of its own': { body: '{"error_code":18,"error_msg":"Open api qps request limit reached"}', error: [429, 'request limit reached'], sdk: sdk.labels },
  'an error of the name error as words': { body: 'event: error\ndata: Internal Server Error\n\n', error: [500, 'Internal Server Error'], sdk: sdk.words },
  'an error that is a string': { body: '{"error":"model is overloaded, try again"}', error: [503, 'model is overloaded'], sdk: sdk.labels },
  'an error with a status in words': { body: '{"status":"error","message":"Invalid token"}', error: [500, 'Invalid token'], sdk: sdk.labels },
  'a full context within a stream': { body: role + event({ error: { message: 'Prompt exceeds max length', code: 1261 } }), error: [400, 'context_length_exceeded'], sdk: 'the SDK has a test of its own' },
  'a page that is labelled as a stream': { body: '<!doctype html>\n<title>Sign in</title>\n', error: [undefined, 'check its address'], sdk: sdk.labels },
  'an error as bare JSON that is labelled as a stream': { body: '{"error":{"message":"Rate limit exceeded: free-models-per-min","code":429}}', error: [429, 'Rate limit exceeded: free-models-per-min'], sdk: sdk.labels },
  'an error as bare JSON': { body: '{"error":{"message":"Rate limit exceeded: free-models-per-min","code":429}}', type: 'application/json', error: [429, 'free-models-per-min'], sdk: sdk.labels },
  'an error as bare JSON over several lines': { body: '{\n  "error": {\n    "message": "Too many requests, slow down"\n  }\n}\n', error: [429, 'Too many requests, slow down'], sdk: sdk.labels },
  'an error without `error`': { body: '{"code":1302,"msg":"rate limit reached for requests"}', type: 'application/json', error: [429, 'rate limit reached for requests'], sdk: sdk.labels },
  'an error as detail': { body: '{"detail":"Upstream is busy"}', type: 'application/json', error: [500, 'Upstream is busy'], sdk: sdk.labels },
  'an error in a list': { body: '[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]', type: 'application/json', error: [503, 'The model is overloaded.'], sdk: sdk.labels },
  'an error as words in data': { body: 'data: Rate limit exceeded, retry later\n\n', error: [429, 'Rate limit exceeded, retry later'], sdk: sdk.words },
  'an error as a JSON string in data': { body: `data: "Internal error: worker died"\n\n${DONE}`, error: [500, 'worker died'], sdk: sdk.words },
  'an error as words after a text': { body: role + text + 'data: upstream connect error\n\n', error: [500, 'upstream connect error'], sdk: sdk.words },
  'an error as a line without data': { body: `${role}{"error":{"message":"The engine is overloaded","type":"engine_overloaded"}}\n\n`, error: [503, 'The engine is overloaded'], sdk: sdk.words },
  'an error as a line of words': { body: `${role}upstream request timeout\n`, error: [504, 'upstream request timeout'], sdk: sdk.words },
  'an error of the name error': { body: 'event: error\ndata: {"message":"Invalid API key","code":"invalid_api_key"}\n\n', error: [401, 'Invalid API key'], sdk: sdk.types },
  'an error in a choice': { body: event({ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'Provider disconnected' } }] }), error: [502, 'Provider disconnected'], sdk: sdk.types },
  'an error after a call': { body: usual + event({ error: { message: 'Server is shutting down', type: 'server_error' } }), error: [500, 'Server is shutting down'], sdk: 'the SDK has a test of its own' },
  'an error as plain words': { body: 'Too many requests', type: 'text/plain', error: [429, 'Too many requests'], sdk: sdk.labels },
  'a base_resp': { body: '{"id":"1","choices":null,"base_resp":{"status_code":1002,"status_msg":"rate limit exceeded(RPM)"}}', type: 'application/json', error: [429, 'rate limit exceeded(RPM)'], sdk: sdk.labels },
  'words after a finished answer do not count': { body: usual + end('tool_calls') + 'data: bye\n\n', calls: [write], sdk: sdk.words },
};
