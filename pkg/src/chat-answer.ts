import { Calls } from './calls.js';
import { finishOf, toFinish, type End } from './finish.js';
import { textOfArguments } from './json-values.js';
import { bare, properties, property } from './own.js';
import { addFields, callFields, messageFields, type Fields } from './provider-data.js';
import { reported } from './server-error.js';
import { usageOf, type Answer } from './service.js';
import type { ModelDelta, ModelResponse, ToolSchema, Usage } from './types/model.js';

/** An answer of a chat-completions server, assembled from its chunks, or from a complete answer. */
export class ChatAnswer implements Answer {
  #text: string | null = null;
  readonly #calls: Calls;
  #fields: Fields = bare({});
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #usage: Usage | undefined;

  constructor(
    tools: ToolSchema[],
    private readonly onDelta: (delta: ModelDelta) => void,
  ) {
    this.#calls = new Calls(tools, onDelta);
  }

  get isSaid(): boolean {
    return this.#finish !== undefined;
  }

  add(source: unknown): boolean | undefined {
    const { choices, model, usage } = properties(source, 'choices', 'model', 'usage');
    this.#usage = usageFrom(usage, 'prompt_tokens', 'completion_tokens') ?? this.#usage;
    if (!Array.isArray(choices)) return undefined;
    if (typeof model === 'string' && model !== '') this.#model = model;
    const { delta, message, error, finish_reason } = properties(choices[0], 'delta', 'message', 'error', 'finish_reason');
    if (error) throw reported(error);
    const isWhole = !delta && Boolean(message);
    this.#addPart(delta ?? message, isWhole);
    this.#finish = toFinish(finish_reason) ?? this.#finish;
    // The usage may follow the finish reason.
    return (isWhole && this.#finish !== undefined) || this.#calls.isFull;
  }

  finish(end: End): ModelResponse {
    const calls = this.#calls.finish();
    const has = { calls: calls.length > 0, text: Boolean(this.#text), torn: this.#calls.hasTorn(end) };
    const finish_reason = finishOf(this.#finish, end, has);
    const isBroken = finish_reason === 'error';
    const tool_calls = isBroken ? [] : calls.map(({ id, name, arguments: words, fields }) => ({ id, type: 'function' as const, function: { name, arguments: words }, ...given(fields) }));
    return {
      content: this.#text,
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(!isBroken && given(this.#fields)),
    };
  }

  /** `isWhole`: each call has a place of its own, and none is a piece of another. */
  #addPart(part: unknown, isWhole: boolean): void {
    addFields(this.#fields, messageFields(part));
    const { reasoning_content, reasoning, content, refusal, tool_calls, function_call } = properties(part, 'reasoning_content', 'reasoning', 'content', 'refusal', 'tool_calls', 'function_call');
    const thought = reasoning_content ?? reasoning;
    if (typeof thought === 'string' && thought) this.onDelta({ type: 'reasoning', text: thought });
    const text = textOf(content) ?? textOf(refusal);
    if (text !== undefined) {
      this.#text = (this.#text ?? '') + text;
      if (text) this.onDelta({ type: 'text', text });
    }
    for (const [place, call] of listOf(tool_calls).entries()) this.#addCall(isWhole ? place : property(call, 'index'), call);
    // What came before there could be several calls; some servers still write it.
    if (function_call) this.#addCall(0, { function: function_call });
  }

  #addCall(place: unknown, piece: unknown): void {
    const { id, function: named } = properties(piece, 'id', 'function');
    const { name, arguments: words } = properties(named, 'name', 'arguments');
    this.#calls.add({ place: place ?? undefined, id: String(id ?? ''), name: String(name ?? ''), arguments: textOfArguments(words), fields: callFields(piece) });
  }
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

function given(fields: Fields): { providerData?: Fields } {
  return Object.keys(fields).length > 0 ? { providerData: JSON.parse(JSON.stringify(fields)) } : {};
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
