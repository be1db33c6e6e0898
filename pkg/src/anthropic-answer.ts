import { CALLS_MAX, Ids } from './calls.js';
import { finishOf, toFinish, type End } from './finish.js';
import { argumentsText, extended, JsonValue, textOfArguments } from './json-values.js';
import { bare, properties, property } from './own.js';
import { toAnswer, type Part } from './parts.js';
import { usageOf, type Answer } from './service.js';
import type { ModelDelta, ModelResponse, Usage } from './types/model.js';

/** A content block, as far as it has come. */
type Block = Record<string, any>;

/** The input of a block with a call. */
interface Input {
  value: JsonValue;
  /** What the block began with. It counts if no pieces come. */
  first: string;
  isClosed: boolean;
}

/** An answer of the Messages API, put together from the events of one response, or of several if the service paused. */
export class MessagesAnswer implements Answer {
  readonly #blocks: Block[] = [];
  readonly #inputs = new Map<Block, Input>();
  /** The blocks of the present response. */
  readonly #byIndex = new Map<unknown, Block>();
  /** How many blocks are of earlier responses. */
  #earlier = 0;
  readonly #ids = new Ids();
  #calls = 0;
  #isFull = false;
  /** Pieces came of a call that did not begin. */
  #hasLostPieces = false;
  /** Of each response. The largest count of the same response counts all of it. */
  readonly #usages: Block[] = [];
  #model: string | undefined;
  #stop: string | undefined;

  constructor(private readonly onDelta: (delta: ModelDelta) => void) {}

  get isSaid(): boolean {
    return this.#stop !== undefined;
  }

  resumes(): boolean {
    if (this.#stop !== 'pause_turn') return false;
    this.#stop = undefined;
    this.#byIndex.clear();
    this.#earlier = this.#blocks.length;
    return true;
  }

  add(event: unknown, name?: string): boolean | undefined {
    const { type = name, index, message, content, content_block, delta, usage } = properties(event, 'type', 'index', 'message', 'content', 'content_block', 'delta', 'usage');
    switch (type) {
      case 'message_start':
        this.#start(message);
        break;
      case 'content_block_start':
        this.#open(index, content_block);
        break;
      case 'content_block_delta':
        this.#extend(index, delta);
        break;
      case 'content_block_stop':
        this.#close(this.#at(index, () => true));
        break;
      case 'message_delta':
        this.#end(property(delta, 'stop_reason') ?? property(event, 'stop_reason'), usage);
        break;
      case 'message_stop':
        return true;
      case 'ping':
        break;
      default:
        if (!Array.isArray(content)) return undefined;
        this.#addWhole(event, content);
        return true;
    }
    return this.#isFull;
  }

  /** The parts in the order of the model. */
  parts(): Part[] {
    return this.#blocks.map((block): Part => {
      const { type, ...rest } = block;
      if (type === 'text') return { kind: 'text', text: String(rest.text ?? ''), data: others(rest, 'text') };
      const input = this.#inputOf(block);
      if (type === 'tool_use') return { kind: 'call', id: String(rest.id), name: String(rest.name), arguments: argumentsText(input), data: others(rest, 'id', 'name', 'input') };
      return { kind: 'data', data: input ? { ...block, input: parsed(input) } : block };
    });
  }

  finish(end: End): ModelResponse {
    const present = this.#blocks.slice(this.#earlier);
    const has = { calls: this.#calls > 0, text: present.some(({ type, text }) => type === 'text' && text), torn: this.#hasTorn(end), lost: this.#hasLostPieces };
    for (const block of this.#inputs.keys()) this.#close(block);
    const finish_reason = finishOf(toFinish(this.#stop), end, has);
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

  #addWhole(answer: unknown, content: unknown[]): void {
    this.#start(answer);
    for (const [index, block] of content.entries()) {
      this.#open(index, block, true);
      if (this.#isFull) break;
      const { text, thinking } = properties(block, 'text', 'thinking');
      if (typeof text === 'string') this.onDelta({ type: 'text', text });
      if (typeof thinking === 'string') this.onDelta({ type: 'reasoning', text: thinking });
    }
    this.#end(property(answer, 'stop_reason'), undefined);
  }

  /** Whether more of a call's input may have been to come. */
  #hasTorn(end: End): boolean {
    const isTorn = ([block, { value, first, isClosed }]: [Block, Input]) => {
      if (block.type !== 'tool_use') return false;
      if ((end === 'said' && !this.#isFull) || isClosed) return value.isOpen;
      return !(value.text === '' ? first !== '' : value.isWhole && !value.isEmptyObject);
    };
    return [...this.#inputs].some(isTorn);
  }

  #inputOf(block: Block): string {
    const input = this.#inputs.get(block);
    return input ? input.value.text || input.first : '';
  }

  /** The service counts what it writes at the end of a stream. */
  #estimated(usage: Usage | undefined): Usage | undefined {
    const written = this.#blocks.flatMap((block) => [block.text, block.thinking, this.#inputOf(block)]).filter((text) => typeof text === 'string');
    const bytes = new TextEncoder().encode(written.join('')).length;
    return usage && { ...usage, outputTokens: Math.max(usage.outputTokens, Math.ceil(bytes / BYTES_PER_TOKEN)), estimated: true };
  }

  #start(message: unknown): void {
    const { model, usage } = properties(message, 'model', 'usage');
    if (typeof model === 'string' && model !== '') this.#model = model;
    this.#usages.push(bare({}));
    this.#count(usage);
  }

  #open(index: unknown, given: unknown, isWhole = false): Block | undefined {
    const block: Block = bare(Object(given));
    if (block.type === 'tool_use') {
      if (this.#calls >= CALLS_MAX) {
        this.#isFull = true;
        return undefined;
      }
      this.#calls += 1;
      block.id = this.#ids.take(block.id);
    }
    this.#blocks.push(block);
    this.#byIndex.set(placeOf(index), block);
    if (block.input === undefined && block.type !== 'tool_use') return block;
    // Some servers send the input at once.
    const words = textOfArguments(block.input);
    const first = words.trim() === '{}' ? '' : words;
    this.#inputs.set(block, { value: new JsonValue(), first, isClosed: isWhole });
    this.#showCall(block, isWhole ? first : '');
    return block;
  }

  /** The block of an event. Without an index, it is the last one. Some servers count only blocks, and their deltas all have the index 0. */
  #at(index: unknown, fits: (block: Block) => boolean): Block | undefined {
    const place = placeOf(index);
    const named = place === undefined ? this.#blocks.slice(this.#earlier).at(-1) : this.#byIndex.get(place);
    if (!named || fits(named)) return named;
    return place === undefined ? undefined : this.#last(fits);
  }

  /** The last block of the present response that fits. */
  #last(fits: (block: Block) => boolean): Block | undefined {
    return this.#blocks.slice(this.#earlier).filter(fits).at(-1);
  }

  #extend(index: unknown, delta: unknown): void {
    const { text, thinking, signature, partial_json, citation } = properties(delta, 'text', 'thinking', 'signature', 'partial_json', 'citation');
    const kind = typeof text === 'string' ? 'text' : typeof thinking === 'string' ? 'thinking' : undefined;
    if (partial_json !== undefined) {
      const isOpen = (block: Block) => this.#inputs.get(block)?.isClosed === false;
      const called = this.#at(index, isOpen) ?? this.#last(isOpen);
      if (called) this.#addInput(called, textOfArguments(partial_json));
      else this.#hasLostPieces = true;
      return;
    }
    // Some servers do not say that a text begins.
    const block = this.#at(index, ({ type }) => kind === undefined || type === kind) ?? (kind && this.#open(index, { type: kind, [kind]: '' }));
    if (!block) return;
    if (kind === 'text') {
      block.text = (block.text ?? '') + text;
      this.onDelta({ type: 'text', text });
    } else if (kind === 'thinking') {
      block.thinking = (block.thinking ?? '') + thinking;
      this.onDelta({ type: 'reasoning', text: thinking });
    } else if (signature !== undefined) {
      block.signature = signature;
    } else if (citation !== undefined) {
      (block.citations ??= []).push(citation);
    }
  }

  #addInput(block: Block, piece: string): void {
    const input = this.#inputs.get(block);
    if (!input) return;
    input.value = extended(input.value, piece);
    this.#showCall(block, piece);
  }

  /** Nothing more of the block comes. */
  #close(block: Block | undefined): void {
    const input = block && this.#inputs.get(block);
    if (!input || input.isClosed) return;
    input.isClosed = true;
    if (input.value.text === '' && input.first !== '') this.#showCall(block, input.first);
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

/** Where a block is. Some servers write the number as text. */
function placeOf(index: unknown): number | undefined {
  return index === undefined || index === null || !Number.isInteger(Number(index)) ? undefined : Number(index);
}

/** As the core estimates. */
const BYTES_PER_TOKEN = 4;

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
