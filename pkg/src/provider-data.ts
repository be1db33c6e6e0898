import type { ChatMessage, ToolCall } from './types/model.js';

// What a service adds to chat completions (Gemini's `extra_content`, OpenRouter's `reasoning_details`, DeepSeek's `reasoning_content`)
// is kept by its own name and goes back to the place where it was.

export type Fields = Record<string, unknown>;

const OF_MESSAGE = ['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio'];
const OF_CALL = ['index', 'id', 'type', 'function'];
const OF_FUNCTION = ['name', 'arguments'];

/** Strings that services stream in pieces. Any other string comes whole. */
const STREAMED = ['reasoning', 'reasoning_content', 'reasoning_text', 'text', 'summary'];

/** Adds the service's own fields of a message, or of a piece of one. */
export function addMessageFields(into: Fields, message: unknown): void {
  addFields(into, message, OF_MESSAGE);
}

/** Adds the service's own fields of a tool call, or of a piece of one. */
export function addCallFields(into: Fields, call: unknown): void {
  addFields(into, call, OF_CALL);
  const named = {};
  addFields(named, isObject(call) ? call.function : undefined, OF_FUNCTION);
  if (Object.keys(named).length > 0) into.function = joined(into.function, named, 'function');
}

/** The message as the service takes it. Fields in `refused` are left out. */
export function withFields(message: ChatMessage, refused: ReadonlySet<string>): object {
  if (message.role !== 'assistant') return message;
  const { providerData, tool_calls, ...rest } = message;
  return {
    ...own(providerData, [...OF_MESSAGE, ...refused]),
    ...rest,
    ...(tool_calls && { tool_calls: tool_calls.map((call) => callWithFields(call, refused)) }),
  };
}

function callWithFields({ providerData, ...call }: ToolCall, refused: ReadonlySet<string>): object {
  const fields = own(providerData, [...OF_CALL, ...refused]);
  const named = own(isObject(providerData) ? providerData.function : undefined, [...OF_FUNCTION, ...refused]);
  return { ...fields, ...call, function: { ...named, ...call.function } };
}

/** The names of the fields that these messages bring back to the service. */
export function fieldNames(messages: ChatMessage[]): Set<string> {
  const names = new Set<string>();
  const add = (data: unknown, known: string[]) => Object.keys(own(data, known)).forEach((name) => names.add(name));
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    add(message.providerData, OF_MESSAGE);
    for (const { providerData } of message.tool_calls ?? []) {
      add(providerData, OF_CALL);
      if (isObject(providerData)) add(providerData.function, OF_FUNCTION);
    }
  }
  return names;
}

function addFields(into: Fields, piece: unknown, known: string[]): void {
  for (const [name, value] of Object.entries(own(piece, known))) into[name] = joined(into[name], value, name);
}

function own(fields: unknown, known: string[]): Fields {
  if (!isObject(fields)) return {};
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !known.includes(name) && value !== null && value !== undefined));
}

/** What was there with a later piece of it. */
function joined(before: unknown, piece: unknown, name: string): unknown {
  if (isNothing(piece)) return before ?? piece;
  if (isNothing(before)) return piece;
  if (typeof before === 'string' && typeof piece === 'string') return STREAMED.includes(name) ? before + piece : piece;
  if (Array.isArray(before) && Array.isArray(piece)) return piece.reduce(withItem, before);
  if (isObject(before) && isObject(piece)) {
    for (const [field, value] of Object.entries(piece)) before[field] = joined(before[field], value, field);
    return before;
  }
  return piece;
}

/** An item of a list continues the last one of its type and index, which is the last of all where it has no index, unless it contradicts it. */
function withItem(items: unknown[], piece: unknown): unknown[] {
  if (!isObject(piece)) return [...items, piece];
  const candidates = piece.index === undefined ? items.slice(-1) : items;
  const item = candidates.filter(isObject).filter(({ type, index }) => type === piece.type && index === piece.index).at(-1);
  if (!item || !Object.entries(piece).every(([name, value]) => agrees(item[name], value, name))) return [...items, piece];
  joined(item, piece, '');
  return items;
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
