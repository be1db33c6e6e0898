import { usageFrom } from './chat-answer.js';
import { properties, property } from './own.js';
import { copied } from './provider-data.js';
import { isMessage, textOf } from './responses-input.js';
import { newId, reported, type Answer } from './service.js';
import type { ModelDelta, ModelResponse, ToolCall, Usage } from './types/model.js';

/** A call whose deltas were shown. */
interface Shown {
  id: string;
  name: string;
  hasArguments: boolean;
}

/** An answer of the Responses API. Its items count; deltas are only shown, and kept for a stream that breaks off. */
export class ResponsesAnswer implements Answer {
  /** What was streamed of messages. */
  #text: string | null = null;
  /** Calls in their order. */
  #shown: Shown[] = [];
  #byItem = new Map<unknown, Shown>();
  /** Complete items of the stream. */
  #done: unknown[] = [];
  #output: unknown[] = [];
  #model: string | undefined;
  #finish: ModelResponse['finish_reason'] | undefined;
  #usage: Usage | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  addEvent(event: unknown): boolean {
    const { type, response, item, output_index, delta, error, summary_index } = properties(event, 'type', 'response', 'item', 'output_index', 'delta', 'error', 'summary_index');
    switch (type) {
      case 'response.output_item.added':
        if (property(item, 'type') === 'function_call') this.#byItem.set(output_index, this.#open(item));
        return false;
      case 'response.output_item.done':
        this.#done.push(item);
        return false;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#addText(delta);
        return false;
      case 'response.function_call_arguments.delta':
        this.#addArguments(this.#byItem.get(output_index), delta);
        return false;
      case 'response.reasoning_summary_part.added':
        if (summary_index > 0) this.#addReasoning('\n\n');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#addReasoning(delta);
        return false;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#end(response, type.slice('response.'.length));
        return true;
      default:
        // Gateways send errors of their own without a type.
        if (type === 'error' || error) throw reported(error ?? event);
        return false;
    }
  }

  addWhole(answer: unknown): void {
    if (!Array.isArray(property(answer, 'output')) && !property(answer, 'error')) throw new Error("the model's server answered without `output`; is its address right?");
    this.#end(answer);
  }

  finish(): ModelResponse {
    // No end: the stream was cut, and calls may be half written.
    const finish_reason = this.#finish ?? 'error';
    const tool_calls = finish_reason === 'error' ? [] : this.#output.filter(isCall).map((item, at) => toToolCall(item, this.#shown[at]?.id));
    return {
      content: this.#text,
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason: finish_reason === 'stop' && tool_calls.length > 0 ? 'tool_calls' : finish_reason,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      // Of an incomplete answer, reasoning may miss what follows it, and is refused then.
      ...(finish_reason === 'stop' && this.#output.length > 0 && { providerData: { output: this.#output.map(withoutArguments) } }),
    };
  }

  /** Takes what the finished response has, and shows what was not streamed. */
  #end(response: unknown, event?: string): void {
    const { error, status, output, usage, model, incomplete_details } = properties(response, 'error', 'status', 'output', 'usage', 'model', 'incomplete_details');
    const outcome: unknown = status ?? event;
    if (error || outcome === 'failed') throw reported(error || 'it gave no reason');
    // Some servers send the items only one by one.
    const items: unknown[] = Array.isArray(output) && output.length >= this.#done.length ? output : this.#done;
    this.#output = items.filter((item) => typeof property(item, 'type') === 'string');
    const messages = this.#output.filter(isMessage);
    if (messages.length > 0) {
      const text = messages.map(textOf).join('');
      if (!this.#text) this.#addText(text);
      this.#text = text;
    }
    for (const [at, call] of this.#output.filter(isCall).entries()) {
      const shown = this.#shown[at] ?? this.#open(call);
      if (!shown.hasArguments) this.#addArguments(shown, argumentsOf(call));
    }
    if (typeof model === 'string' && model !== '') this.#model = model;
    this.#usage = usageFrom(usage, 'input_tokens', 'output_tokens');
    this.#finish = toFinishReason(outcome, property(incomplete_details, 'reason'));
  }

  #open(item: unknown): Shown {
    const { call_id, name } = properties(item, 'call_id', 'name');
    const isNew = typeof call_id === 'string' && call_id !== '' && this.#shown.every(({ id }) => id !== call_id);
    const call = { id: isNew ? call_id : newId(), name: typeof name === 'string' ? name : '', hasArguments: false };
    this.#shown.push(call);
    this.onDelta({ type: 'tool', id: call.id, name: call.name, text: '' });
    return call;
  }

  #addArguments(call: Shown | undefined, text: unknown): void {
    if (!call || typeof text !== 'string' || text === '') return;
    call.hasArguments = true;
    this.onDelta({ type: 'tool', id: call.id, name: call.name, text });
  }

  #addText(text: unknown): void {
    if (typeof text !== 'string') return;
    this.#text = (this.#text ?? '') + text;
    if (text) this.onDelta({ type: 'text', text });
  }

  #addReasoning(text: unknown): void {
    if (typeof text === 'string' && text) this.onDelta({ type: 'reasoning', text });
  }
}

function isCall(item: unknown): boolean {
  return property(item, 'type') === 'function_call';
}

function argumentsOf(item: unknown): string {
  const given: unknown = property(item, 'arguments') ?? '';
  return typeof given === 'string' ? given : JSON.stringify(given);
}

function toToolCall(item: unknown, id = newId()): ToolCall {
  const name: unknown = property(item, 'name');
  return { id, type: 'function', function: { name: typeof name === 'string' ? name : '', arguments: argumentsOf(item) || '{}' } };
}

/** The item for `providerData`. */
function withoutArguments(item: unknown): unknown {
  const data = JSON.parse(JSON.stringify(copied(item)));
  if (isCall(item)) delete data.arguments;
  return data;
}

function toFinishReason(status: unknown, reason: unknown): ModelResponse['finish_reason'] {
  if (status === 'completed') return 'stop';
  if (status !== 'incomplete') return 'error';
  if (reason === 'content_filter') return 'content_filter';
  return reason === undefined || reason === null || reason === 'max_output_tokens' ? 'length' : 'error';
}
