import { bare, properties, property } from './own.js';
import { toAnswer, type Part } from './parts.js';
import { newId, reported, usageOf, type Answer } from './service.js';
import type { ModelDelta, ModelResponse, Usage } from './types/model.js';

/** A content block, as far as it has come. */
type Block = Record<string, any>;

/** An answer of the Messages API, put together from the events of one response, or of several if the service paused. */
export class MessagesAnswer implements Answer {
  readonly #blocks: Block[] = [];
  /** The pieces of the input of a block with a call. */
  readonly #inputs = new Map<Block, string>();
  /** The blocks of the present response. */
  readonly #byIndex = new Map<unknown, Block>();
  /** Of each response. The largest count of the same response is that of all of it. */
  readonly #usages: Block[] = [];
  #model: string | undefined;
  #stop: string | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  resumes(): boolean {
    if (this.#stop !== 'pause_turn') return false;
    this.#stop = undefined;
    this.#byIndex.clear();
    return true;
  }

  /** Other events than these are for information. */
  addEvent(event: unknown): boolean {
    const { type, index, message, content_block, delta, usage, error } = properties(event, 'type', 'index', 'message', 'content_block', 'delta', 'usage', 'error');
    if (type === 'error') throw reported(error);
    else if (type === 'message_start') this.#start(message);
    else if (type === 'content_block_start') this.#open(index, content_block);
    else if (type === 'content_block_delta') this.#extend(this.#byIndex.get(index), delta);
    else if (type === 'message_delta') this.#end(property(delta, 'stop_reason'), usage);
    return type === 'message_stop';
  }

  /** A whole answer. */
  addWhole(answer: unknown): void {
    const { content, stop_reason, error } = properties(answer, 'content', 'stop_reason', 'error');
    if (error) throw reported(error);
    if (!Array.isArray(content)) throw new Error("the model's server answered without `content`; is its address right?");
    this.#start(answer);
    for (const [index, block] of content.entries()) {
      this.#open(index, block);
      const { text, thinking } = properties(block, 'text', 'thinking');
      if (typeof text === 'string') this.onDelta({ type: 'text', text });
      if (typeof thinking === 'string') this.onDelta({ type: 'reasoning', text: thinking });
    }
    this.#end(stop_reason, undefined);
  }

  /** The parts in the order of the model. */
  parts(): Part[] {
    return this.#blocks.map((block): Part => {
      const { type, ...rest } = block;
      if (type === 'text') return { kind: 'text', text: String(rest.text ?? ''), data: others(rest, 'text') };
      if (type === 'tool_use') return { kind: 'call', id: String(rest.id), name: String(rest.name), arguments: this.#inputs.get(block) || '{}', data: others(rest, 'id', 'name', 'input') };
      const input = this.#inputs.get(block);
      return { kind: 'data', data: input ? { ...block, input: parsed(input) } : block };
    });
  }

  finish(): ModelResponse {
    // No stop reason: the stream was cut, and calls may be half written.
    const finish_reason = STOP_REASONS.get(this.#stop ?? '') ?? 'error';
    const { content, tool_calls, providerData } = toAnswer(this.parts(), finish_reason);
    const usage = finish_reason === 'error' ? this.#estimated(toUsage(this.#usages)) : toUsage(this.#usages);
    return {
      content,
      ...(finish_reason !== 'error' && { ...(tool_calls && { tool_calls }), ...(providerData !== undefined && { providerData }) }),
      finish_reason,
      ...(usage && { usage }),
      ...(this.#model !== undefined && { model: this.#model }),
    };
  }

  /** The service counts what it writes at the end of a stream. */
  #estimated(usage: Usage | undefined): Usage | undefined {
    const written = this.#blocks.flatMap((block) => [block.text, block.thinking, this.#inputs.get(block)]).filter((text) => typeof text === 'string');
    const bytes = new TextEncoder().encode(written.join('')).length;
    return usage && { ...usage, outputTokens: Math.max(usage.outputTokens, Math.ceil(bytes / BYTES_PER_TOKEN)), estimated: true };
  }

  #start(message: unknown): void {
    const { model, usage } = properties(message, 'model', 'usage');
    if (typeof model === 'string' && model !== '') this.#model = model;
    this.#usages.push(bare({}));
    this.#count(usage);
  }

  #open(index: unknown, given: unknown): void {
    const block: Block = bare(Object(given));
    if (block.type === 'tool_use' && (!block.id || this.#blocks.some(({ id }) => id === block.id))) block.id = newId();
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
    if (block.input === undefined) return;
    // Some servers send the input at once.
    const input = Object.keys(Object(block.input)).length > 0 ? JSON.stringify(block.input) : '';
    this.#inputs.set(block, input);
    this.#showCall(block, input);
  }

  #extend(block: Block | undefined, delta: unknown): void {
    if (!block) return;
    const { type, text, thinking, signature, partial_json, citation } = properties(delta, 'type', 'text', 'thinking', 'signature', 'partial_json', 'citation');
    if (type === 'text_delta' && typeof text === 'string') {
      block.text = (block.text ?? '') + text;
      this.onDelta({ type: 'text', text });
    } else if (type === 'thinking_delta' && typeof thinking === 'string') {
      block.thinking = (block.thinking ?? '') + thinking;
      this.onDelta({ type: 'reasoning', text: thinking });
    } else if (type === 'signature_delta') {
      block.signature = signature;
    } else if (type === 'citations_delta') {
      (block.citations ??= []).push(citation);
    } else if (type === 'input_json_delta' && typeof partial_json === 'string') {
      this.#inputs.set(block, (this.#inputs.get(block) ?? '') + partial_json);
      this.#showCall(block, partial_json);
    }
  }

  /** Calls of the service's own tools are not shown. */
  #showCall({ type, id, name }: Block, text: string): void {
    if (type === 'tool_use') this.onDelta({ type: 'tool', id: String(id), name: String(name), text });
  }

  #end(reason: unknown, usage: unknown): void {
    if (typeof reason === 'string') this.#stop = reason;
    this.#count(usage);
  }

  #count(usage: unknown): void {
    const counts = this.#usages.at(-1);
    for (const [name, value] of Object.entries(Object(usage))) {
      // Counts only grow. Proxies end with zeros in place of what they counted before.
      if (counts && value !== null) counts[name] = typeof value === 'number' ? Math.max(value, Number(counts[name]) || 0) : value;
    }
  }
}

/** As the core estimates. */
const BYTES_PER_TOKEN = 4;

const STOP_REASONS = new Map<string, ModelResponse['finish_reason']>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

/** The fields of a block without these and without those that have no value; nothing if none is left. */
function others(block: Block, ...known: string[]): Block | undefined {
  const left = Object.entries(block).filter(([name, value]) => !known.includes(name) && value !== null && value !== undefined);
  return left.length > 0 ? bare(Object.fromEntries(left)) : undefined;
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return {};
  }
}

/** The service counts cached tokens apart from the others. */
function toUsage(usages: Block[]): Usage | undefined {
  const sum = (read: (usage: Block) => unknown) => {
    const counts = usages.map(read).filter((count) => typeof count === 'number');
    return counts.length > 0 ? counts.reduce((total, count) => total + count, 0) : undefined;
  };
  const read = sum((usage) => usage.input_tokens);
  const cached = sum((usage) => usage.cache_read_input_tokens);
  const stored = sum((usage) => usage.cache_creation_input_tokens);
  return usageOf({
    inputTokens: read === undefined ? undefined : read + (cached ?? 0) + (stored ?? 0),
    outputTokens: sum((usage) => usage.output_tokens),
    cachedInputTokens: cached,
    cacheWriteTokens: stored,
    reasoningTokens: sum((usage) => property(usage.output_tokens_details, 'thinking_tokens')),
    costUsd: undefined,
  });
}
