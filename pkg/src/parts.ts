import { bare, properties, property } from './own.js';
import type { AssistantMessage, ModelResponse, ToolCall } from './types/model.js';

// An answer of a service with content blocks: texts, calls and the service's own data (signed thoughts, files, results of the service's
// tools) in an order that must go back as it was. The contract has one text and a list of calls. `providerData` has the rest: the order,
// with a reference for each text and call, and the data. Fields of the service on a call are the call's own `providerData`.

/** A part of an answer, in the model's order. `data` has fields that the service added. A part of the kind `data` has nothing else. */
export type Part =
  | { kind: 'text'; text: string; data?: object | undefined }
  | { kind: 'call'; id: string; name: string; arguments: string; data?: object | undefined }
  | { kind: 'data'; data: object };

/** A text of so many UTF-16 units, the call at this index, or data. */
type Reference = { text: number; data?: object } | { call: number } | { data: object };

/** The fields of a `ModelResponse` that have the parts. */
export function toAnswer(all: Part[], finish: ModelResponse['finish_reason']): Pick<ModelResponse, 'content' | 'tool_calls' | 'providerData'> {
  const isWhole = finish === 'stop' || finish === 'tool_calls';
  // What the answer was cut in is at its end. Services refuse a thought without its signature and a call of theirs without its result.
  const parts = all.slice();
  while (!isWhole && parts.at(-1)?.kind === 'data') parts.pop();
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const tool_calls: ToolCall[] = [];
  const references = parts.map((part): Reference => {
    if (part.kind === 'data') return { data: part.data };
    if (part.kind === 'text') return { text: part.text.length, ...(part.data && { data: part.data }) };
    const call = { id: part.id, type: 'function' as const, function: { name: part.name, arguments: part.arguments } };
    tool_calls.push(part.data ? { ...call, providerData: asJson(part.data) } : call);
    return { call: tool_calls.length - 1 };
  });
  const says = references.some((reference, at) => 'data' in reference || ('text' in reference && at > 0));
  return {
    content: texts.length > 0 ? texts.join('') : null,
    ...(tool_calls.length > 0 && { tool_calls }),
    ...(says && { providerData: asJson({ parts: references }) }),
  };
}

/** The parts of a message. Without data, or with data that does not fit, they are the text and then the calls. */
export function partsOf(message: AssistantMessage): Part[] {
  const { content, tool_calls, providerData } = properties(message, 'content', 'tool_calls', 'providerData');
  const text: string = content ?? '';
  const calls = ((tool_calls ?? []) as ToolCall[]).map(toPart);
  const given: unknown = property(providerData, 'parts');
  return (Array.isArray(given) && resolved(given, text, calls)) || [...(text ? [{ kind: 'text', text, data: undefined } as const] : []), ...calls];
}

/** The parts of the references; nothing if they belong to another text or other calls. */
function resolved(references: unknown[], text: string, calls: Part[]): Part[] | undefined {
  let at = 0;
  let next = 0;
  const parts: Part[] = [];
  for (const reference of references) {
    const { text: length, call, data } = properties(reference, 'text', 'call', 'data');
    if (typeof length === 'number') parts.push({ kind: 'text', text: text.slice(at, (at += length)), data });
    else if (typeof call === 'number') {
      const part = calls[call];
      if (call !== next++ || !part) return undefined;
      parts.push(part);
    } else if (typeof data === 'object' && data !== null) parts.push({ kind: 'data', data });
    else return undefined;
  }
  // The harness drops a text without words.
  return (at === text.length || text === '') && next === calls.length ? parts : undefined;
}

function toPart(call: ToolCall): Part {
  const { id, function: named, providerData } = properties(call, 'id', 'function', 'providerData');
  return { kind: 'call', id, name: property(named, 'name'), arguments: property(named, 'arguments'), data: providerData };
}

/** The arguments of a call as services with content blocks take them: an object. */
export function argumentsOf(words: string): object {
  try {
    const value: unknown = JSON.parse(words || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The harness sends only objects; others may not.
  }
  return bare({ unreadable: words });
}

/** A copy that has only what JSON has, because it is stored as JSON. */
function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
