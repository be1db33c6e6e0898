import { CALLS_MAX, Ids, mayGoOn } from './calls.js';
import { finishOf, toFinish } from './finish.js';
import { argumentsText, extended, JsonValue } from './json-values.js';
import { bare, properties, property } from './own.js';
import { toAnswer, type Part } from './parts.js';
import type { ModelDelta, ModelResponse, ToolSchema, Usage } from './types/model.js';

/** A text or a thought, as far as it has come. */
interface Block {
  type: 'text' | 'reasoning';
  text: string;
  metadata: object | undefined;
}

/** An answer of a language model of the AI SDK, assembled from the parts of a stream, or from a complete answer. */
export class SdkAnswer {
  readonly #parts: (Part | Block)[] = [];
  /** By kind and id. */
  readonly #blocks = new Map<string, Block>();
  /** The names of the calls whose arguments are shown as they come, by id. */
  readonly #shown = new Map<string, string>();
  readonly #ids = new Ids();
  #calls = 0;
  /** Calls whose arguments began, and that are not there yet. */
  readonly #torn = new Set<string>();
  #isFull = false;
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #hasEnd = false;
  #hasPassedOver = false;
  #usage: Usage | undefined;
  /** What the model gives as its structured answer, if that is not all of the text. */
  #structured: string | undefined;

  constructor(
    private readonly tools: ToolSchema[],
    private readonly onDelta: (delta: ModelDelta) => void,
  ) {}

  /** The last part of the stream has come. */
  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** There was a call more than are read. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The stream ended without a reason. */
  end(): void {
    this.#hasEnd = true;
  }

  /** An event was no part of the answer. Some providers then say that the answer failed. */
  passOver(): void {
    this.#hasPassedOver = true;
  }

  /** A part of a stream, or of a whole answer. Others than these are for information. */
  addPart(part: unknown): void {
    const { type, id, delta, text, toolName } = properties(part, 'type', 'id', 'delta', 'text', 'toolName');
    switch (type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#extend('text', id, delta, part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#extend('reasoning', id, delta, part);
      case 'text':
      case 'reasoning':
        return this.#extend(type, this.#parts.length, text, part);
      case 'tool-input-start':
        if (property(part, 'providerExecuted') === true) return;
        this.#torn.add(String(id));
        return this.#show(String(id), String(toolName), '');
      case 'tool-input-delta':
        if (this.#shown.has(String(id))) this.#show(String(id), '', String(delta));
        return;
      case 'tool-call':
        return this.#call(part);
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        return this.#keep(part, type);
      case 'response-metadata':
        return this.#answeredBy(property(part, 'modelId'));
      case 'finish':
        return this.#end(part);
    }
  }

  /** A whole answer. */
  addWhole(answer: unknown): void {
    const { content, response, structuredOutputText } = properties(answer, 'content', 'response', 'structuredOutputText');
    for (const part of Array.isArray(content) ? content : []) this.addPart(part);
    if (typeof structuredOutputText === 'string') this.#structured = structuredOutputText;
    this.#answeredBy(property(response, 'modelId'));
    this.#end(answer);
  }

  finish(model: string): ModelResponse {
    const text = this.#parts.some((part) => 'type' in part && part.type === 'text' && part.text !== '');
    const has = { calls: this.#calls > 0, text, torn: this.#torn.size > 0 };
    // Without a last part, the stream was cut, and calls may be half written.
    const finish_reason = finishOf(this.#finish, this.#hasEnd || this.#isFull ? 'said' : 'broken', has);
    const { content, tool_calls, providerData } = toAnswer(this.#parts.flatMap(toParts), finish_reason);
    return {
      content: this.#structured ?? content,
      ...(finish_reason !== 'error' && { ...(tool_calls && { tool_calls }), ...(providerData !== undefined && { providerData }) }),
      finish_reason,
      ...(this.#usage && { usage: this.#usage }),
      model: this.#model ?? model,
    };
  }

  #extend(type: Block['type'], id: unknown, delta: unknown, part: unknown): void {
    const key = `${type} ${String(id)}`;
    let block = this.#blocks.get(key);
    if (!block) this.#parts.push((block = { type, text: '', metadata: undefined }));
    this.#blocks.set(key, block);
    // The last metadata counts, as in the AI SDK itself.
    block.metadata = property(part, 'providerMetadata') ?? block.metadata;
    if (typeof delta !== 'string' || delta === '') return;
    block.text += delta;
    this.onDelta({ type, text: delta });
  }

  #show(id: string, name: string, text: string): void {
    const known = this.#shown.get(id) ?? name;
    this.#shown.set(id, known);
    this.onDelta({ type: 'tool', id, name: known, text });
  }

  #call(part: unknown): void {
    const { toolCallId, toolName, input, providerExecuted, providerMetadata } = properties(part, 'toolCallId', 'toolName', 'input', 'providerExecuted', 'providerMetadata');
    if (providerExecuted === true) return this.#keep(part, 'tool-call');
    if (this.#calls >= CALLS_MAX) {
      this.#isFull = true;
      return;
    }
    this.#calls += 1;
    this.#torn.delete(String(toolCallId));
    const [id, name, words] = [this.#ids.take(toolCallId), String(toolName), typeof input === 'string' ? input : JSON.stringify(input ?? {})];
    if (!this.#shown.has(id)) this.#show(id, name, words);
    // Some providers pass on at the end of a stream what came of a call.
    if (mayGoOn(extended(new JsonValue(), words), name, this.tools)) this.#torn.add(id);
    this.#parts.push({ kind: 'call', id, name, arguments: argumentsText(words), data: providerMetadata });
  }

  /** A part that goes back as it is: a file, or what the service's own tools did. */
  #keep(part: unknown, type: string): void {
    const { providerMetadata, preliminary, result, isError, data, input, ...rest }: Record<string, any> = bare(Object(part));
    if (preliminary === true) return;
    const kept: Record<string, unknown> = { ...rest, ...(providerMetadata && { providerOptions: providerMetadata }) };
    if (type === 'tool-result') kept.output = { type: isError === true ? 'error-json' : 'json', value: result ?? null };
    if (type === 'tool-call') kept.input = typeof input === 'string' ? parsed(input) : input;
    if (data !== undefined) kept.data = storable(data);
    this.#parts.push({ kind: 'data', data: kept });
  }

  #answeredBy(model: unknown): void {
    if (typeof model === 'string' && model !== '') this.#model = model;
  }

  #end(part: unknown): void {
    const { finishReason, usage, providerMetadata } = properties(part, 'finishReason', 'usage', 'providerMetadata');
    this.#hasEnd = true;
    const isOfEvent = this.#hasPassedOver && (finishReason === 'error' || property(finishReason, 'unified') === 'error');
    this.#finish = isOfEvent ? undefined : toFinishReason(finishReason);
    this.#usage = toUsage(usage, providerMetadata);
  }
}

/** Texts and thoughts without words count only if the service says something about them. */
function toParts(part: Part | Block): Part[] {
  if ('kind' in part) return [part];
  const { type, text, metadata } = part;
  if (text === '' && !metadata) return [];
  if (type === 'text') return [{ kind: 'text', text, data: metadata }];
  return [{ kind: 'data', data: { type, text, ...(metadata && { providerOptions: metadata }) } }];
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words || '{}');
  } catch {
    return words;
  }
}

/** The data of a file as JSON: bytes as base64, and an address as text. From version 4, it is in an object with its type. */
function storable(data: unknown): unknown {
  if (data instanceof Uint8Array) return base64(data);
  const { type, data: bytes, url } = properties(data, 'type', 'data', 'url');
  if (type === 'data') return { type, data: bytes instanceof Uint8Array ? base64(bytes) : bytes };
  return type === 'url' ? { type, url: String(url) } : data;
}

/** In pieces, because a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

const FINISH_REASONS = new Map<unknown, ModelResponse['finish_reason']>([
  ['stop', 'stop'],
  ['tool-calls', 'tool_calls'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
]);

/** A text, or from version 3 an object. `other` and `unknown` are a reason of the service's own, or none. */
function toFinishReason(reason: unknown): ModelResponse['finish_reason'] | undefined {
  const { unified, raw } = properties(reason, 'unified', 'raw');
  const known = FINISH_REASONS.get(unified ?? reason);
  if (known) return known;
  const isOwn = ['other', 'unknown'].includes(String(unified ?? reason));
  return isOwn ? (toFinish(raw) ?? undefined) : 'error';
}

/** Numbers, or from version 3 objects with a total. */
function toUsage(usage: unknown, metadata: unknown): Usage | undefined {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = properties(usage, 'inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens');
  const number = (...values: unknown[]) => values.find((value): value is number => typeof value === 'number' && Number.isFinite(value));
  const read = number(inputTokens, property(inputTokens, 'total'));
  const written = number(outputTokens, property(outputTokens, 'total'));
  if (read === undefined && written === undefined) return undefined;
  const cached = number(cachedInputTokens, property(inputTokens, 'cacheRead'));
  const reasoning = number(reasoningTokens, property(outputTokens, 'reasoning'));
  // Version 2 has no field for what was written to the cache.
  const { anthropic, openai, azure } = properties(metadata, 'anthropic', 'openai', 'azure');
  const ofAnthropic = number(property(anthropic, 'cacheCreationInputTokens'));
  const stored = number(property(inputTokens, 'cacheWrite'), ofAnthropic, property(property(openai ?? azure, 'usage'), 'cacheWriteTokens'));
  // Anthropic's provider for version 2 counts the tokens of the cache apart from the others.
  const apart = anthropic && typeof inputTokens === 'number' ? (cached ?? 0) + (ofAnthropic ?? 0) : 0;
  return {
    inputTokens: (read ?? 0) + apart,
    outputTokens: written ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(stored !== undefined && { cacheWriteTokens: stored }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
