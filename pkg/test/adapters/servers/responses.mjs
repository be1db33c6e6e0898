// As chat.mjs, for the Responses API.
import { event } from '../dialects.mjs';

const FILE = { path: 'notes.md', content: 'Buy milk.\n' };
const ARGS = JSON.stringify(FILE);
const halves = [ARGS.slice(0, 9), ARGS.slice(9)];
const write = ['write_file', FILE];
const named = (...events) => events.map((data) => event(data, data.type)).join('');

const item = (words, more) => ({ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'write_file', arguments: words, ...more });
const message = (text) => ({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] });
const created = { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm-1', status: 'in_progress', output: [] } };
const added = { type: 'response.output_item.added', output_index: 0, item: item('') };
const deltas = halves.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta }));
const done = { type: 'response.output_item.done', output_index: 0, item: item(ARGS, { status: 'completed' }) };
const argumentsDone = { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: ARGS };
const completed = (output = [], more) => ({ type: 'response.completed', response: { id: 'r', created_at: 1, model: 'm-1', status: 'completed', output, ...more } });
const says = (delta) => ({ type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', content_index: 0, delta });
const sdk = 'the SDK waits for whole items, and knows only usual ends';

export const cases = {
  'deltas only': { body: named(created, added, ...deltas, completed()), calls: [write], sdk },
  'deltas, then the end': { body: named(created, added, ...deltas), calls: [write], sdk },
  'deltas, then [DONE]': { body: named(created, added, ...deltas) + 'data: [DONE]\n\n', calls: [write], sdk },
  'whole arguments at their end only': { body: named(created, added, argumentsDone, completed()), calls: [write], sdk },
  'whole items only': { body: named(created, done, completed()), calls: [write], sdk },
  'whole items, then the end': { body: named(created, added, ...deltas, argumentsDone, done), calls: [write], sdk },
  'an output without the arguments': { body: named(created, added, ...deltas, completed([item('')])), calls: [write], sdk },
  'the output only': { body: named(completed([message('I write.'), item(ARGS)])), text: 'I write.', calls: [write], sdk },
  'response.done': { body: named(created, added, ...deltas, { ...completed(), type: 'response.done' }), calls: [write], sdk },
  'response.done with the status of the start': { body: named(created, added, ...deltas, done, { ...completed(), type: 'response.done', response: created.response }), calls: [write], sdk },
  'the status requires_action': { body: named(created, added, ...deltas, done, completed([item(ARGS)], { status: 'requires_action' })), calls: [write], sdk },
  'requires_action, unstreamed': { body: JSON.stringify(completed([item(ARGS)], { status: 'requires_action' }).response), type: 'application/json', calls: [write], sdk },
  'no status, unstreamed': { body: JSON.stringify({ id: 'r', model: 'm-1', output: [item(FILE)] }), type: 'application/json', calls: [write], sdk },
  'an unstreamed answer that is labelled as a stream': { body: JSON.stringify(completed([item(ARGS)]).response), calls: [write], sdk },
  'a stream that is labelled as JSON': { body: named(created, added, ...deltas, done, completed([item(ARGS)])), type: 'application/json', calls: [write] },
  'deltas with neither an index nor the id of an item': { body: named(created, { ...added, output_index: undefined }, ...deltas.map(({ type, delta }) => ({ type, delta })), completed()), calls: [write], sdk },
  'deltas with the id of the item only': { body: named(created, { ...added, output_index: undefined }, ...deltas.map(({ type, item_id, delta }) => ({ type, item_id, delta })), completed()), calls: [write], sdk },
  'types only as names of events': { body: [created, added, ...deltas, done, completed()].map(({ type, ...data }) => event(data, type)).join(''), calls: [write], sdk },
  'arguments as an object': { body: named(created, { ...done, item: item(FILE) }, completed()), calls: [write], sdk },
  'arguments at the start and as deltas': { body: named(created, { ...added, item: item(ARGS) }, ...deltas, completed()), calls: [write], sdk },
  'an empty object before the deltas': { body: named(created, { ...added, item: item('{}') }, ...deltas, completed()), calls: [write], sdk },
  'a text as deltas only': { body: named(says('Hel'), says('lo.'), completed()), text: 'Hello.', sdk },
  'a text as deltas, then the end': { body: named(created, says('Hel'), says('lo.')), text: 'Hello.', sdk },
  'a text at its end only': { body: named(created, { type: 'response.output_text.done', text: 'Hello.' }, completed()), text: 'Hello.', sdk },
  'an end without a response': { body: named(created, says('Hello.'), { type: 'response.completed' }), text: 'Hello.', sdk },
  'heartbeats': { body: named(created, added, ...deltas, done, completed([item(ARGS)])).replaceAll('\n\n', '\n\ndata: \n\n: ping\n\ndata: {"type":"keepalive"}\n\n'), calls: [write], sdk },
  'a whole item twice': { body: named(created, done, done, completed()), calls: [write], sdk },
  'a call with an id of its item only': { body: named(created, { ...done, item: { ...item(ARGS), call_id: undefined } }, completed()), calls: [write], sdk },
  'two calls whose deltas are interleaved': { body: named(created, added, { ...added, output_index: 1, item: { ...item(''), id: 'fc_2', call_id: 'call_2', name: 'read_file' } }, deltas[0], { ...deltas[0], output_index: 1, item_id: 'fc_2', delta: '{"path":"a"}' }, deltas[1], completed()), calls: [write, ['read_file', { path: 'a' }]], sdk },
  'raw line breaks in the arguments': { body: named(created, { ...done, item: item('{"path":"a","content":"x\ny"}') }, completed()), calls: [['write_file', { path: 'a', content: 'x\ny' }]], sdk },
  'a call that only its deltas name': { body: named(created, ...deltas.map((delta) => ({ ...delta, name: 'write_file', call_id: 'call_1' })), completed()), calls: [write], sdk },
  'two items with one index': { body: named(created, done, { ...done, item: { ...item('{"path":"a"}'), id: 'fc_2', call_id: 'call_2', name: 'read_file' } }, completed()), calls: [write, ['read_file', { path: 'a' }]], sdk },
  'a message and a call with one index': { body: named(created, { ...done, item: message('I write.') }, done, completed()), text: 'I write.', calls: [write], sdk },
  ...Object.fromEntries([['the item', { ...done, item: item('{}') }], ['the arguments', { ...argumentsDone, arguments: '{}' }], ['the output', completed([item('{}')])]].map(([what, last]) => [`${what} at the end with an empty object`, { body: named(created, added, ...deltas, last, completed(last.response?.output)), calls: [write], sdk }])),
  'a text in a part at its end only': { body: named(created, { type: 'response.content_part.done', output_index: 0, item_id: 'msg_1', content_index: 0, part: { type: 'output_text', text: 'Hello.' } }, completed()), text: 'Hello.', sdk },
  'a text in an item only, then the end': { body: named(created, { ...done, item: message('Hello.') }), text: 'Hello.', sdk },
  'a refusal at its end only': { body: named(created, { type: 'response.refusal.done', output_index: 0, item_id: 'msg_1', content_index: 0, refusal: 'I cannot help.' }, completed()), text: 'I cannot help.', sdk },
  'pieces of a call that did not begin': { body: named(created, { ...done, item: message('I write.') }, ...deltas, completed()), broken: true, sdk },
  'half a call, then the end': { body: named(created, added, deltas[0]), broken: true },
  'a call that only began, then the end': { body: named(created, added), broken: true },
  'an empty object before the deltas, then the end': { body: named(created, { ...added, item: item('{}') }), broken: true },
  'half a call, then [DONE]': { body: named(created, added, deltas[0]) + 'data: [DONE]\n\n', broken: true },
  'nothing': { body: named(created), broken: true },
  'a cancelled response': { body: named(created, added, ...deltas, done, { ...completed(), type: 'response.cancelled', response: { status: 'cancelled', output: [] } }), broken: true, sdk },
  'an error as bare JSON that is labelled as a stream': { body: '{"error":{"message":"Rate limit exceeded: free-models-per-min","code":429}}', error: [429, 'Rate limit exceeded: free-models-per-min'], sdk },
  'an error in an event without a type': { body: named(created) + 'data: {"error":{"message":"No capacity left","code":"capacity"}}\n\n', error: [503, 'No capacity left'], sdk },
  'an error as words in data': { body: `${named(created)}data: stream error: upstream closed\n\n`, error: [500, 'upstream closed'], sdk },
};
