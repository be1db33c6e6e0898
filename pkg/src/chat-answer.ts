import { bare, properties, property } from './own.js';
import { addFields, callFields, messageFields, type Fields } from './provider-data.js';
import { newId, reported, usageOf, type Answer } from './service.js';
import type { ModelDelta, ModelResponse, ToolCall, Usage } from './types/model.js';

/** A call, as far as its pieces have come; `fields` are what the service adds to it. */
interface Call {
  id: string;
  name: string;
  arguments: string;
  /** The id in deltas and in the answer: the server's, or one of ours. */
  shownId: string;
  fields: Fields;
}

/** An answer of a chat-completions server, assembled from its chunks, or from a complete answer. */
export class ChatAnswer implements Answer {
  #text: string | null = null;
  #calls: Call[] = [];
  #byIndex = new Map<unknown, Call>();
  #fields: Fields = bare({});
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #usage: Usage | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  addEvent(chunk: unknown): boolean {
    this.#add(chunk, property(choiceOf(chunk), 'delta'));
    // The usage may follow the finish reason.
    return false;
  }

  addWhole(answer: unknown): void {
    const choice = choiceOf(answer);
    if (!choice && !property(answer, 'error')) throw new Error('the model\'s server answered without `choices`; is its address right?');
    const message: unknown = property(choice, 'message');
    // Each call is whole here, and none a piece of another.
    const calls = listOf(property(message, 'tool_calls')).map((call, index) => bare({ ...Object(call), index }));
    this.#add(answer, bare({ ...Object(message), tool_calls: calls }));
  }

  finish(): ModelResponse {
    // No finish reason: the stream was cut, and calls may be half written.
    const finish_reason = this.#finish ?? 'error';
    const tool_calls = finish_reason === 'error' ? [] : this.#calls.map(toToolCall);
    return {
      content: this.#text,
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason: finish_reason === 'stop' && tool_calls.length > 0 ? 'tool_calls' : finish_reason,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(finish_reason !== 'error' && given(this.#fields)),
    };
  }

  #add(source: unknown, part: unknown): void {
    const error: unknown = property(source, 'error');
    if (error) throw reported(error);
    const { model, usage } = properties(source, 'model', 'usage');
    if (typeof model === 'string' && model !== '') this.#model = model;
    addFields(this.#fields, messageFields(part));
    const { reasoning_content, reasoning, content, refusal, tool_calls, function_call } = properties(part, 'reasoning_content', 'reasoning', 'content', 'refusal', 'tool_calls', 'function_call');
    const thought = reasoning_content ?? reasoning;
    if (typeof thought === 'string' && thought) this.onDelta({ type: 'reasoning', text: thought });
    const text = textOf(content) ?? textOf(refusal);
    if (text !== undefined) {
      this.#text = (this.#text ?? '') + text;
      if (text) this.onDelta({ type: 'text', text });
    }
    for (const call of listOf(tool_calls)) this.#addCall(call);
    // What came before there could be several calls; some servers still write it.
    if (function_call) this.#addCall({ index: 0, function: function_call });
    this.#finish = toFinishReason(property(choiceOf(source), 'finish_reason')) ?? this.#finish;
    this.#usage = usageFrom(usage, 'prompt_tokens', 'completion_tokens') ?? this.#usage;
  }

  /** Pieces of a call share an index; servers that send none, or the same for all, tell calls apart by id. */
  #addCall(piece: unknown): void {
    const { index, id: given, function: named } = properties(piece, 'index', 'id', 'function');
    const id = String(given ?? '');
    let call = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    if (!call || (id && call.id && id !== call.id)) {
      call = { id: '', name: '', arguments: '', shownId: '', fields: bare({}) };
      this.#calls.push(call);
      if (index !== undefined) this.#byIndex.set(index, call);
    }
    call.id ||= id;
    call.name ||= String(property(named, 'name') ?? '');
    const words = property(named, 'arguments') ?? '';
    const more = typeof words === 'string' ? words : JSON.stringify(words);
    call.arguments += more;
    call.shownId ||= call.id && this.#calls.every(({ shownId }) => shownId !== call.id) ? call.id : newId();
    this.onDelta({ type: 'tool', id: call.shownId, name: call.name, text: more });
    addFields(call.fields, callFields(piece));
  }
}

function choiceOf(source: unknown): unknown {
  return listOf(property(source, 'choices')).at(0);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Some servers write a message as parts, of which the texts are its words. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts: unknown[] = content.map((part) => property(part, 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

function toToolCall(call: Call): ToolCall {
  return { id: call.shownId, type: 'function', function: { name: call.name, arguments: call.arguments || '{}' }, ...given(call.fields) };
}

function given(fields: Fields): { providerData?: Fields } {
  return Object.keys(fields).length > 0 ? { providerData: JSON.parse(JSON.stringify(fields)) } : {};
}

/** OpenAI's reasons, and what other servers say in their place. */
const FINISH_REASONS = new Map<string, ModelResponse['finish_reason']>([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
]);

function toFinishReason(reason: unknown): ModelResponse['finish_reason'] | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  return FINISH_REASONS.get(reason.toLowerCase()) ?? 'error';
}

/** The usage in the shape of OpenAI's APIs, which name the tokens of the input and of the output differently. */
export function usageFrom(usage: unknown, input: string, output: string): Usage | undefined {
  const of = (name: string) => property(usage, name);
  const { cached_tokens, cache_write_tokens } = properties(of(`${input}_details`), 'cached_tokens', 'cache_write_tokens');
  return usageOf({
    inputTokens: of(input),
    outputTokens: of(output),
    cachedInputTokens: cached_tokens,
    cacheWriteTokens: cache_write_tokens,
    reasoningTokens: property(of(`${output}_details`), 'reasoning_tokens'),
    costUsd: of('cost'),
  });
}
