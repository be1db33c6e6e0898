// As chat.mjs, for the Messages API.
import { event } from '../dialects.mjs';

const FILE = { path: 'notes.md', content: 'Buy milk.\n' };
const ARGS = JSON.stringify(FILE);
const halves = [ARGS.slice(0, 9), ARGS.slice(9)];
const write = ['write_file', FILE];
const named = (...events) => events.flat().map((data) => event(data, data.type)).join('');

const start = { type: 'message_start', message: { id: 'msg', type: 'message', role: 'assistant', model: 'm-1', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } };
const open = (content_block, index = 0) => ({ type: 'content_block_start', index, content_block });
const tool = (input = {}, more) => ({ type: 'tool_use', id: 'toolu_1', name: 'write_file', input, ...more });
const pieces = halves.map((partial_json) => ({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }));
const close = { type: 'content_block_stop', index: 0 };
const end = (stop_reason) => ({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } });
const stop = { type: 'message_stop' };
const says = (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const without = ({ index, ...rest }) => rest;
const usual = [start, open(tool()), ...pieces, close];
const whole = (content, stop_reason) => JSON.stringify({ ...start.message, content, stop_reason });
const sdk = 'the SDK wants all events and fields';

export const cases = {
  'no reason to stop': { body: named(usual, end(null), stop), calls: [write], sdk },
  'no reason to stop, and its delta is missing': { body: named(usual, stop), calls: [write], sdk },
  'no end at all': { body: named(usual), calls: [write], sdk },
  'no end of the block': { body: named(usual.slice(0, -1), end('tool_use'), stop), calls: [write], sdk },
  'neither an end of the block nor of the message': { body: named(usual.slice(0, -1)), calls: [write], sdk },
  'an unknown reason to stop': { body: named(usual, end('tool_calls_done'), stop), calls: [write], sdk },
  'the reason of chat completions': { body: named(usual, end('tool_calls'), stop), calls: [write], sdk },
  'end_turn in place of tool_use': { body: named(usual, end('end_turn'), stop), calls: [write], sdk: 'the SDK passes on the reason' },
  'the input at the start only': { body: named(start, open(tool(FILE)), close, end('tool_use'), stop), calls: [write], sdk: 'older versions of the SDK pass it over' },
  'the input at the start and as deltas': { body: named(start, open(tool(FILE)), ...pieces, close, end('tool_use'), stop), calls: [write], sdk: 'the SDK joins both' },
  'the input at the start is a part': { body: named(start, open(tool({ path: 'notes.md' })), ...pieces, close, end('tool_use'), stop), calls: [write], sdk: 'the SDK joins both' },
  'the input at the start as a text': { body: named(start, open(tool(ARGS)), close, end('tool_use'), stop), calls: [write], sdk },
  'the input at the start, and no end': { body: named(start, open(tool(FILE))), calls: [write], sdk },
  'an empty object before the deltas': { body: named(start, open(tool('{}')), { ...pieces[0], delta: { type: 'input_json_delta', partial_json: '{}' } }, ...pieces, close, end('tool_use'), stop), calls: [write], sdk },
  'the whole input again': { body: named(usual.slice(0, -1), { ...pieces[0], delta: { type: 'input_json_delta', partial_json: ARGS } }, close, end('tool_use'), stop), calls: [write], sdk },
  'the input as an object in a delta': { body: named(start, open(tool()), { ...pieces[0], delta: { type: 'input_json_delta', partial_json: FILE } }, close, end('tool_use'), stop), calls: [write], sdk },
  'deltas without an index': { body: named(start, without(open(tool())), ...pieces.map(without), without(close), end('tool_use'), stop), calls: [write], sdk },
  'a text without an index or a start': { body: named(start, without(says('Hel')), without(says('lo.')), end('end_turn'), stop), text: 'Hello.', sdk },
  'a text without an index, then a call': { body: named(start, without(says('Hello.')), without(open(tool())), ...pieces.map(without), end('tool_use'), stop), text: 'Hello.', calls: [write], sdk },
  'types only as names of events': { body: [...usual, end('tool_use'), stop].map(({ type, ...data }) => event(data, type)).join(''), calls: [write], sdk },
  'no names of events': { body: [...usual, end('tool_use'), stop].map((data) => event(data)).join(''), calls: [write] },
  'no message_start': { body: named(usual.slice(1), end('tool_use'), stop), calls: [write], sdk: 'the SDK passes it over' },
  'ids that are missing': { body: named(start, open(tool({}, { id: undefined })), ...pieces, close, end('tool_use'), stop), calls: [write], sdk },
  'a stream that is labelled as a text': { body: named(usual, end('tool_use'), stop), type: 'text/plain', calls: [write] },
  'an unstreamed answer that is labelled as a stream': { body: whole([{ type: 'text', text: 'I write.' }, tool(FILE)], 'tool_use'), text: 'I write.', calls: [write], sdk },
  'an unstreamed answer without a reason': { body: whole([tool(ARGS)], null), type: 'application/json', calls: [write], sdk },
  'heartbeats': { body: named(usual, end('tool_use'), stop).replaceAll('\n\n', '\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: \n\n'), calls: [write], sdk: 'an empty data line ends the SDK' },
  'a text, then the end': { body: named(start, open({ type: 'text', text: '' }), says('Hello.')), text: 'Hello.', sdk },
  '[DONE] at the end': { body: named(usual) + 'data: [DONE]\n\n', calls: [write], sdk },
  'deltas without types': { body: named(start, open(tool()), ...pieces.map(({ delta: { type, ...delta }, ...rest }) => ({ ...rest, delta })), close, end('tool_use'), stop), calls: [write], sdk },
  'the reason beside the delta': { body: named(usual, { type: 'message_delta', stop_reason: 'tool_use' }, stop), calls: [write], sdk },
  'a raw line break in the input': { body: named(start, open(tool()), { ...pieces[0], delta: { type: 'input_json_delta', partial_json: '{"path":"a","content":"x\ny"}' } }, close, end('tool_use'), stop), calls: [['write_file', { path: 'a', content: 'x\ny' }]], sdk },
  'the whole message as one event': { body: event(JSON.parse(whole([tool(FILE)], 'tool_use')), 'message'), calls: [write], sdk },
  'two calls with one id': { body: named(usual, open(tool({ path: 'a', content: 'b' }), 1), { ...close, index: 1 }, end('tool_use'), stop), calls: [write, ['write_file', { path: 'a', content: 'b' }]], sdk },
  'a call without input, with its end': { body: named(start, open(tool({}, { name: 'list_files' })), close, end(null), stop), calls: [['list_files', {}]], sdk },
  'a call that only began, then the end': { body: named(start, open(tool({}, { name: 'list_files' }))), broken: true, sdk },
  'half a call, then the end': { body: named(start, open(tool()), pieces[0]), broken: true },
  'half a call, then message_stop without a reason': { body: named(start, open(tool()), pieces[0], end(null), stop), broken: true, sdk },
  'deltas that all have the index 0': { body: named(start, open(tool({}, { id: 'toolu_0', name: 'read_file' })), { ...pieces[0], delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' } }, close, open(tool(), 1), ...pieces, { ...close, index: 1 }, end('tool_use'), stop), calls: [['read_file', { path: 'a' }], write], sdk },
  'starts that all have the index 0': { body: named(start, open({ type: 'text', text: '' }), says('I write.'), close, open(tool()), ...pieces.map((piece) => ({ ...piece, index: 1 })), { ...close, index: 1 }, end('tool_use'), stop), text: 'I write.', calls: [write], sdk },
  'an index as a string in deltas': { body: named(start, open(tool()), ...pieces.map((piece) => ({ ...piece, index: '0' })), close, end('tool_use'), stop), calls: [write], sdk },
  'pieces of a call in a text': { body: named(start, open({ type: 'text', text: 'I write.' }), ...pieces, close, end('tool_use'), stop), broken: true, sdk },
  'a call that did not begin': { body: named(start, ...pieces, end(null), stop), broken: true, sdk },
  'nothing': { body: named(start, end(null), stop), broken: true, sdk },
  'an error as bare JSON that is labelled as a stream': { body: '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down, please"}}', error: [429, 'Slow down, please'], sdk },
  'an error of the name error without a type': { body: named(start) + 'event: error\ndata: {"message":"Overloaded"}\n\n', error: [503, 'Overloaded'], sdk },
  'an error of chat completions': { body: named(start) + 'data: {"error":{"message":"Too many requests","code":"429"}}\n\n', error: [429, 'Too many requests'], sdk },
};
