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
  /** The choices that have the text and the calls. Some servers write them in different choices. */
  #textChoice: number | undefined;
  #callChoice: number | undefined;

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
    const { choices, model, usage, x_groq } = properties(source, 'choices', 'model', 'usage', 'x_groq');
    const counted = [usage, property(x_groq, 'usage'), property(property(choices, 0), 'usage')].map((counts) => usageFrom(counts, 'prompt_tokens', 'completion_tokens'));
    this.#usage = counted.find(Boolean) ?? this.#usage;
    if (!Array.isArray(choices)) return undefined;
    if (typeof model === 'string' && model !== '') this.#model = model;
    // The usage may follow the finish reason.
    return choices.map((choice, at) => this.#addChoice(choice, at)).some(Boolean) || this.#calls.isFull;
  }

  /** `true` if the choice is a whole answer. */
  #addChoice(choice: unknown, at: number): boolean {
    const { delta, message, error, finish_reason, index } = properties(choice, 'delta', 'message', 'error', 'finish_reason', 'index');
    if (error) throw reported(error);
    const isWhole = !delta && Boolean(message);
    // Pieces of several choices come one by one.
    this.#addPart(delta ?? message, isWhole, typeof index === 'number' ? index : at);
    this.#finish = toFinish(finish_reason) ?? this.#finish;
    return isWhole && this.#finish !== undefined;
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
  #addPart(part: unknown, isWhole: boolean, choice: number): void {
    addFields(this.#fields, messageFields(part));
    const { reasoning_content, reasoning, content, refusal, tool_calls, function_call } = properties(part, 'reasoning_content', 'reasoning', 'content', 'refusal', 'tool_calls', 'function_call');
    const thought = reasoning_content ?? reasoning;
    if (typeof thought === 'string' && thought) this.onDelta({ type: 'reasoning', text: thought });
    this.#addText(textOf(content) || (textOf(refusal) ?? textOf(content)), isWhole, choice);
    const calls = listOf(tool_calls);
    if (calls.length > 0) this.#callChoice ??= choice;
    if (this.#callChoice !== undefined && this.#callChoice !== choice) return;
    for (const [place, call] of calls.entries()) this.#addCall(isWhole ? place : property(call, 'index'), call);
    // The older field for one call. Some servers write it beside `tool_calls`, with the same call.
    if (function_call && this.#callChoice === undefined) this.#addCall(0, { function: function_call });
  }

  #addText(text: string | undefined, isWhole: boolean, choice: number): void {
    if (text === undefined) return;
    if (text !== '') this.#textChoice ??= choice;
    if (text !== '' && this.#textChoice !== choice) return;
    // Some servers end a stream with the whole message.
    const shown = isWhole && this.#text ? (text.startsWith(this.#text) ? text.slice(this.#text.length) : '') : text;
    this.#text = (this.#text ?? '') + shown;
    if (shown) this.onDelta({ type: 'text', text: shown });
  }

  /** Some servers write the fields of the function beside it, and its arguments under another name. */
  #addCall(place: unknown, piece: unknown): void {
    const { id, function: named } = properties(piece, 'id', 'function');
    const { name, arguments: words, parameters } = properties(named ?? piece, 'name', 'arguments', 'parameters');
    this.#calls.add({ place: place ?? undefined, id: String(id ?? ''), name: String(name ?? ''), arguments: textOfArguments(words ?? parameters), fields: callFields(piece) });
  }
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? [value] : [];
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
