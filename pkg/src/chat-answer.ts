import { addCallFields, addMessageFields, type Fields } from './provider-data.js';
import { ServerError } from './server-error.js';
import type { ModelDelta, ModelResponse, ToolCall, Usage } from './types/model.js';

/** A call, as far as its pieces have come; `fields` are what the service adds to it. */
interface Call {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  fields: Fields;
}

/** An answer of a chat-completions server, put together from its chunks or taken whole. */
export class ChatAnswer {
  #text: string | null = null;
  #calls: Call[] = [];
  #fields: Fields = {};
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #usage: Usage | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  /** One chunk of a stream. */
  addChunk(chunk: any): void {
    this.#add(chunk, chunk?.choices?.[0]?.delta);
  }

  /** A whole answer. */
  addWhole(answer: any): void {
    const choice = answer?.choices?.[0];
    if (!choice && !answer?.error) throw new Error('the model\'s server answered without `choices`; is its address right?');
    const { message } = choice ?? {};
    // Each call is whole here, and none a piece of another.
    this.#add(answer, { ...message, tool_calls: message?.tool_calls?.map((call: object, index: number) => ({ ...call, index })) });
  }

  /** The stream ended, before the answer did unless its finish reason had come. */
  breakOff(): void {
    this.#finish ??= 'error';
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

  #add(source: any, part: any): void {
    if (source?.error) {
      const { message, code } = source.error;
      throw new ServerError(`the model's server failed: ${typeof message === 'string' ? message : JSON.stringify(source.error)}`, typeof code === 'number' ? code : undefined);
    }
    if (typeof source?.model === 'string' && source.model !== '') this.#model = source.model;
    addMessageFields(this.#fields, part);
    const reasoning = part?.reasoning_content ?? part?.reasoning;
    if (typeof reasoning === 'string' && reasoning) this.onDelta({ type: 'reasoning', text: reasoning });
    const text = textOf(part?.content) ?? textOf(part?.refusal);
    if (text !== undefined) {
      this.#text = (this.#text ?? '') + text;
      if (text) this.onDelta({ type: 'text', text });
    }
    for (const call of part?.tool_calls ?? []) this.#addCall(call);
    // What came before there could be several calls; some servers still write it.
    if (part?.function_call) this.#addCall({ index: 0, function: part.function_call });
    this.#finish = toFinishReason(source?.choices?.[0]?.finish_reason) ?? this.#finish;
    this.#usage = toUsage(source?.usage) ?? this.#usage;
  }

  /** Pieces of a call share an index; servers that send none, or the same for all, tell calls apart by id. */
  #addCall(piece: any): void {
    const started = this.#calls.filter((call) => piece.index === undefined || call.index === piece.index);
    let call = started.at(-1);
    if (!call || (piece.id && call.id && piece.id !== call.id)) {
      call = { index: piece.index, id: '', name: '', arguments: '', fields: {} };
      this.#calls.push(call);
    }
    call.id ||= piece.id ?? '';
    call.name ||= piece.function?.name ?? '';
    const more = piece.function?.arguments ?? '';
    call.arguments += typeof more === 'string' ? more : JSON.stringify(more);
    addCallFields(call.fields, piece);
  }
}

/** Some servers write a message as parts, of which the texts are its words. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

/** For servers that give calls no ids; unique over a conversation. */
let unnamedCalls = 0;

function toToolCall(call: Call): ToolCall {
  return { id: call.id || `call_${++unnamedCalls}`, type: 'function', function: { name: call.name, arguments: call.arguments || '{}' }, ...given(call.fields) };
}

function given(fields: Fields): { providerData?: Fields } {
  return Object.keys(fields).length > 0 ? { providerData: fields } : {};
}

/** OpenAI's reasons, and what other servers say in their place. */
const FINISH_REASONS: Record<string, ModelResponse['finish_reason']> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

function toFinishReason(reason: unknown): ModelResponse['finish_reason'] | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  return FINISH_REASONS[reason.toLowerCase()] ?? 'error';
}

function toUsage(usage: any): Usage | undefined {
  if (typeof usage?.prompt_tokens !== 'number') return undefined;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens ?? 0,
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
    ...(typeof usage.cost === 'number' && { costUsd: usage.cost }),
  };
}
