import { bare, property } from './own.js';
import type { ChatMessage, ToolCall } from './types/model.js';

// What a service adds to chat completions (Gemini's `extra_content`, OpenRouter's `reasoning_details`, DeepSeek's `reasoning_content`)
// is kept by its own name and goes back to the place where it was. The names come from outside: what is put together here has no
// prototype.

export type Fields = Record<string, unknown>;

const OF_MESSAGE = ['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio'];
const OF_CALL = ['index', 'id', 'type', 'function'];
const OF_FUNCTION = ['name', 'arguments'];

/** Strings that services stream in pieces. Any other string comes whole. */
const STREAMED = ['reasoning', 'reasoning_content', 'reasoning_text', 'text', 'summary'];

/** Deeper data is refused; the core has the same limit. */
const LEVELS = 127;

/** An item of a list continues one of so many before it, so that a list of any length takes linear time. */
const RECENT = 64;

/** The service's own fields of a message, or of a piece of one. */
export function messageFields(message: unknown): Fields {
  return copied(own(message, OF_MESSAGE)) as Fields;
}

/** The service's own fields of a tool call, or of a piece of one. */
export function callFields(call: unknown): Fields {
  const found = own(call, OF_CALL);
  const named = own(property(call, 'function'), OF_FUNCTION);
  if (Object.keys(named).length > 0) found.function = named;
  return copied(found) as Fields;
}

/** Adds fields, or pieces of them, to those before. */
export function addFields(into: Fields, more: Fields): void {
  for (const [name, value] of Object.entries(more)) into[name] = joined(into[name], value, name);
}

/** The message as the service takes it. Fields in `refused` are left out. */
export function withFields(message: ChatMessage, refused: ReadonlySet<string>): object {
  if (message.role === 'tool') {
    // Services know the tool by the id of the call, and some refuse a name.
    const { name, ...rest } = bare(message);
    return rest;
  }
  if (message.role !== 'assistant') return message;
  const { providerData, tool_calls, ...rest } = bare(message);
  return {
    ...own(providerData, [...OF_MESSAGE, ...refused]),
    ...rest,
    ...(tool_calls && { tool_calls: tool_calls.map((call) => callWithFields(call, refused)) }),
  };
}

function callWithFields(whole: ToolCall, refused: ReadonlySet<string>): object {
  const { providerData, ...call } = bare(whole);
  const fields = own(providerData, [...OF_CALL, ...refused]);
  const named = own(property(providerData, 'function'), [...OF_FUNCTION, ...refused]);
  return { ...fields, ...call, function: { ...named, ...call.function } };
}

/** The names of the fields that these messages bring back to the service. */
export function fieldNames(messages: ChatMessage[]): Set<string> {
  const names = new Set<string>();
  const add = (data: unknown, known: string[]) => Object.keys(own(data, known)).forEach((name) => names.add(name));
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const { providerData, tool_calls } = bare(message);
    add(providerData, OF_MESSAGE);
    for (const call of tool_calls ?? []) {
      const data: unknown = property(call, 'providerData');
      add(data, OF_CALL);
      add(property(data, 'function'), OF_FUNCTION);
    }
  }
  return names;
}

/** The fields without those that are known and those without a value. */
function own(fields: unknown, known: string[]): Fields {
  const found = bare({}) as Fields;
  if (!isObject(fields)) return found;
  for (const [name, value] of Object.entries(fields)) {
    if (!known.includes(name) && value !== null && value !== undefined) found[name] = value;
  }
  return found;
}

/** A copy whose objects have no prototype. */
export function copied(value: unknown, levels = LEVELS): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new Error(`the model's server added data that nests deeper than ${LEVELS} levels`);
  if (Array.isArray(value)) return value.map((item) => copied(item, levels - 1));
  const copy = bare({}) as Fields;
  for (const [name, field] of Object.entries(value)) copy[name] = copied(field, levels - 1);
  return copy;
}

/** What was there with a later piece of it. */
function joined(before: unknown, piece: unknown, name: string): unknown {
  if (isNothing(piece)) return before ?? piece;
  if (isNothing(before)) return piece;
  if (typeof before === 'string' && typeof piece === 'string') return STREAMED.includes(name) ? before + piece : piece;
  if (Array.isArray(before) && Array.isArray(piece)) {
    for (const item of piece) addItem(before, item);
    return before;
  }
  if (isObject(before) && isObject(piece)) {
    for (const [field, value] of Object.entries(piece)) before[field] = joined(before[field], value, field);
    return before;
  }
  return piece;
}

/** An item of a list continues the last one of its type and index, which is the last of all where it has no index, unless it contradicts it. */
function addItem(items: unknown[], piece: unknown): void {
  if (!isObject(piece)) return void items.push(piece);
  const candidates = items.slice(piece.index === undefined ? -1 : -RECENT).filter(isObject);
  const item = candidates.filter(({ type, index }) => type === piece.type && index === piece.index).at(-1);
  if (!item || !Object.entries(piece).every(([name, value]) => agrees(item[name], value, name))) return void items.push(piece);
  joined(item, piece, '');
}

function agrees(before: unknown, piece: unknown, name: string): boolean {
  return isNothing(before) || isNothing(piece) || STREAMED.includes(name) || JSON.stringify(before) === JSON.stringify(piece);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
