import { CALLS_MAX, Ids } from './calls.js';
import { usageFrom } from './chat-answer.js';
import { finishOf, toFinish, type End } from './finish.js';
import { argumentsText, extended, JsonValue, textOfArguments } from './json-values.js';
import { bare, properties, property } from './own.js';
import { copied } from './provider-data.js';
import { isMessage, textOf } from './responses-input.js';
import { reported } from './server-error.js';
import type { Answer } from './service.js';
import type { ModelDelta, ModelResponse, ToolCall, Usage } from './types/model.js';

/** An item of the output, as far as it has come. */
interface Entry {
  item: Record<string, unknown>;
  isDone: boolean;
  /** The pieces of a message. */
  text: string;
  /** A call: what is shown of it, and its arguments. */
  call: { id: string; name: string; value: JsonValue } | undefined;
}

/** The ends of a stream. */
const ENDS = /^response\.(completed|done|incomplete|failed|cancelled)$/;

/** An answer of the Responses API. Its whole items count; where a server leaves them out, what was streamed of them. */
export class ResponsesAnswer implements Answer {
  /** What was streamed of messages. */
  #text: string | null = null;
  readonly #entries: Entry[] = [];
  readonly #byPlace = new Map<unknown, Entry>();
  #calls: Entry[] = [];
  readonly #ids = new Ids();
  #isFull = false;
  /** Pieces came of a call that did not begin. */
  #hasLostPieces = false;
  /** The parts of messages that have a text. */
  readonly #written = new Set<string>();
  #output: unknown[] | undefined;
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #usage: Usage | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  get isSaid(): boolean {
    return this.#finish !== undefined;
  }

  add(event: unknown, name?: string): boolean | undefined {
    const { type = name, response, item, delta, text, refusal, part, arguments: words, summary_index, output } = properties(event, 'type', 'response', 'item', 'delta', 'text', 'refusal', 'part', 'arguments', 'summary_index', 'output');
    if (typeof type !== 'string' || !type.startsWith('response.')) {
      if (!Array.isArray(output)) return undefined;
      this.#end(event, undefined);
      return true;
    }
    if (ENDS.test(type)) {
      this.#end(response, type.slice('response.'.length));
      return true;
    }
    switch (type) {
      case 'response.output_item.added':
        this.#open(event, item);
        break;
      case 'response.output_item.done':
        this.#close(event, item);
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#written.add(partOf(event));
        this.#addText(delta, this.#at(event));
        break;
      case 'response.output_text.done':
      case 'response.refusal.done':
      case 'response.content_part.done':
        this.#addWholeText(event, text ?? refusal ?? property(part, 'text') ?? property(part, 'refusal'));
        break;
      case 'response.function_call_arguments.delta':
        this.#addArguments(this.#callAt(event), textOfArguments(delta));
        break;
      case 'response.function_call_arguments.done':
        this.#replaceArguments(this.#callAt(event), textOfArguments(words));
        break;
      case 'response.reasoning_summary_part.added':
        if (summary_index > 0) this.#addReasoning('\n\n');
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#addReasoning(delta);
        break;
    }
    return this.#isFull;
  }

  finish(end: End): ModelResponse {
    const output = this.#output ?? this.#items();
    const calls = output.filter(isCall).slice(0, CALLS_MAX);
    const finish_reason = finishOf(this.#finish, end, { calls: calls.length > 0, text: Boolean(this.#text), torn: this.#hasTorn(), lost: this.#hasLostPieces });
    const isBroken = finish_reason === 'error';
    const tool_calls = isBroken ? [] : calls.map((item, at) => toToolCall(item, this.#calls[at]?.call?.id ?? this.#ids.take(undefined)));
    // Of an incomplete answer, reasoning may miss what follows it, and is refused then.
    const isComplete = !isBroken && this.#finish === 'stop' && output.length > 0 && calls.length === output.filter(isCall).length;
    return {
      content: this.#text,
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(isComplete && { providerData: { output: output.map(withoutArguments) } }),
    };
  }

  /** Takes what the finished response has, and shows what was not streamed. */
  #end(response: unknown, event: string | undefined): void {
    const { error, status = event, output, usage, model, incomplete_details } = properties(response, 'error', 'status', 'output', 'usage', 'model', 'incomplete_details');
    if (error || status === 'failed' || event === 'failed') throw reported(error || 'it gave no reason');
    const streamed = this.#items();
    // Some servers send the items only one by one, or their arguments only in pieces.
    const items: unknown[] = Array.isArray(output) && output.length >= streamed.length ? output : streamed;
    let at = 0;
    this.#output = items.filter((item) => typeof property(item, 'type') === 'string').map((item) => (isCall(item) ? this.#completed(item, this.#calls[at++]) : item));
    const text = this.#output.filter(isMessage).map(textOf).join('');
    if (text !== '') {
      if (!this.#text) this.#addText(text, undefined);
      this.#text = text;
    }
    if (typeof model === 'string' && model !== '') this.#model = model;
    this.#usage = usageFrom(usage, 'input_tokens', 'output_tokens');
    // Some servers end with the status of the start.
    const isStale = event !== undefined && (status === 'in_progress' || status === 'queued');
    this.#finish = toFinishReason(isStale ? event : status, property(incomplete_details, 'reason'));
  }

  /** A call of the finished response, with the arguments that were streamed if it has none. */
  #completed(item: unknown, entry = this.#open(undefined, item)): unknown {
    const words = textOfArguments(property(item, 'arguments'));
    if (!entry?.call) return item;
    if (['', '{}'].includes(words.trim()) && entry.call.value.text !== '') return { ...Object(item), arguments: entry.call.value.text };
    if (entry.call.value.text === '') this.#addArguments(entry, words);
    return item;
  }

  /** The items that were streamed, without those that a service would refuse half. */
  #items(): unknown[] {
    return this.#entries.flatMap((entry): unknown[] => {
      if (entry.call) return [bare({ ...entry.item, arguments: entry.call.value.text })];
      if (entry.isDone) return [entry.item];
      return isMessage(entry.item) && entry.text !== '' ? [bare({ ...entry.item, content: [{ type: 'output_text', text: entry.text, annotations: [] }] })] : [];
    });
  }

  #hasTorn(): boolean {
    if (this.#finish !== undefined) return false;
    return this.#calls.some(({ isDone, call }) => !isDone && !(call?.value.isWhole && !call.value.isEmptyObject));
  }

  #open(event: unknown, given: unknown): Entry | undefined {
    const item = bare(Object(given)) as Record<string, unknown>;
    if (isCall(item) && this.#calls.length >= CALLS_MAX) {
      this.#isFull = true;
      return undefined;
    }
    const entry: Entry = { item, isDone: false, text: '', call: undefined };
    this.#entries.push(entry);
    const { output_index, item_id = item.id } = properties(event, 'output_index', 'item_id');
    for (const place of [output_index, item_id, item.call_id]) if (place !== undefined && place !== null) this.#byPlace.set(place, entry);
    if (isCall(item)) {
      entry.call = { id: this.#ids.take(item.call_id ?? item.id), name: typeof item.name === 'string' ? item.name : '', value: new JsonValue() };
      this.#calls.push(entry);
      this.#addArguments(entry, textOfArguments(item.arguments));
    }
    return entry;
  }

  #close(event: unknown, item: unknown): void {
    const entry = this.#at(event, item) ?? this.#open(event, { ...Object(item), arguments: '' });
    if (!entry) return;
    entry.item = bare(Object(item)) as Record<string, unknown>;
    entry.isDone = true;
    this.#replaceArguments(entry, textOfArguments(entry.item.arguments));
    if (isMessage(item) && entry.text === '' && !this.#text?.endsWith(textOf(item))) this.#addText(textOf(item), entry);
  }

  /** The item that an event is about. Ids say more than the index: some servers count no items, others change the ids. */
  #at(event: unknown, item?: unknown): Entry | undefined {
    const { output_index, item_id, call_id } = properties(event, 'output_index', 'item_id', 'call_id');
    const ids = [item_id, call_id, property(item, 'id'), property(item, 'call_id')];
    const named = ids.map((id) => (id === undefined || id === null ? undefined : this.#byPlace.get(id))).find(Boolean);
    const placed = output_index === undefined ? undefined : this.#byPlace.get(output_index);
    // What is done is not done again under another id.
    return named ?? (item !== undefined && (placed?.isDone || isCall(item) !== isCall(placed?.item)) ? undefined : placed);
  }

  /** The call that an event is about, which may have its name only in the event. */
  #callAt(event: unknown): Entry | undefined {
    const { output_index, item_id, call_id, name } = properties(event, 'output_index', 'item_id', 'call_id', 'name');
    const placed = this.#at(event);
    const found = placed?.call ? placed : output_index === undefined && item_id === undefined ? this.#calls.at(-1) : undefined;
    return found ?? (typeof name === 'string' ? this.#open(event, { type: 'function_call', call_id, name, arguments: '' }) : undefined);
  }

  #addArguments(entry: Entry | undefined, text: string): void {
    if (!entry?.call) {
      this.#hasLostPieces ||= text !== '' && !this.#isFull;
      return;
    }
    // An empty object at the start stands for what comes.
    const piece = entry.call.value.text === '' && text.trim() === '{}' ? '' : text;
    entry.call.value = extended(entry.call.value, piece);
    this.#show(entry.call, piece);
  }

  /** The arguments as a whole, which count more than their pieces. */
  #replaceArguments(entry: Entry | undefined, text: string): void {
    if (!entry?.call || text.trim() === '') return;
    // Some servers leave the arguments empty that they streamed.
    if (text.trim() === '{}' && entry.call.value.text !== '') return;
    if (entry.call.value.text === '') this.#show(entry.call, text);
    entry.call.value = extended(new JsonValue(), text);
  }

  #show({ id, name }: NonNullable<Entry['call']>, text: string): void {
    this.onDelta({ type: 'tool', id, name, text });
  }

  #addText(text: unknown, entry: Entry | undefined): void {
    if (typeof text !== 'string') return;
    this.#text = (this.#text ?? '') + text;
    if (entry) entry.text += text;
    if (text) this.onDelta({ type: 'text', text });
  }

  /** A part of a message at its end, which counts if it was not streamed. */
  #addWholeText(event: unknown, text: unknown): void {
    const part = partOf(event);
    if (typeof text !== 'string' || text === '' || this.#written.has(part)) return;
    this.#written.add(part);
    this.#addText(text, this.#at(event));
  }

  #addReasoning(text: unknown): void {
    if (typeof text === 'string' && text) this.onDelta({ type: 'reasoning', text });
  }
}

/** Which part of which message an event is about. */
function partOf(event: unknown): string {
  const { output_index, item_id, content_index = 0 } = properties(event, 'output_index', 'item_id', 'content_index');
  return `${output_index ?? item_id}:${content_index}`;
}

function isCall(item: unknown): boolean {
  return property(item, 'type') === 'function_call';
}

function toToolCall(item: unknown, id: string): ToolCall {
  const name: unknown = property(item, 'name');
  return { id, type: 'function', function: { name: typeof name === 'string' ? name : '', arguments: argumentsText(textOfArguments(property(item, 'arguments'))) } };
}

/** The item for `providerData`. */
function withoutArguments(item: unknown): unknown {
  const data = JSON.parse(JSON.stringify(copied(item)));
  if (isCall(item)) delete data.arguments;
  return data;
}

/** What the status of a response means. */
function toFinishReason(status: unknown, reason: unknown): ModelResponse['finish_reason'] {
  if (status === 'incomplete') return reason === undefined || reason === null ? 'length' : lastingReason(reason);
  if (status === 'in_progress' || status === 'queued') return 'error';
  const finish = toFinish(status) ?? 'stop';
  return finish === 'tool_calls' ? 'stop' : finish;
}

/** An answer that is incomplete for another reason is broken. */
function lastingReason(reason: unknown): ModelResponse['finish_reason'] {
  const finish = toFinish(reason);
  return finish === 'length' || finish === 'content_filter' ? finish : 'error';
}
