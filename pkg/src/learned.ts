import { isOverflow } from './overflow.js';
import { bare, properties, property } from './own.js';
import type { Refusal } from './service.js';
import type { ChatMessage, ModelRequest } from './types/model.js';

// Services refuse requests that others take. What a refusal names and what can be changed without loss is changed from then on.

/** A change of a request. It returns the request itself if there is nothing to change. */
interface Change {
  /** Words of services that refuse the request without it. */
  refusal: RegExp;
  /** What is different then, for an event. */
  note: string;
  apply(request: ModelRequest): ModelRequest;
}

const CHANGES: Change[] = [
  {
    refusal: /\b(user|assistant)\b[^]{0,40}\bafter\b[^]{0,20}\btool\b|\bafter\b[^]{0,40}\btool\b[^]{0,80}\bassistant\b|\btool\b[^]{0,40}followed by[^]{0,40}\bassistant\b|(roles?|messages?)\b[^]{0,60}(must|should) alternate/i,
    note: 'from now on, a message of the assistant is between results of tools and a message of the user',
    apply: (request) => withMessages(request, (message, before) => (message.role === 'user' && before?.role === 'tool' ? [{ role: 'assistant', content: 'OK.' }, message] : [message])),
  },
  {
    refusal: /assistant[^]{0,60}\b(either|neither|content (or|and) tool_calls)\b/i,
    note: 'from now on, a message of the assistant without a text and calls says that it is empty',
    apply: (request) => withMessages(request, (message) => (message.role === 'assistant' && !message.content && !message.tool_calls?.length ? [bare({ ...message, content: '(no answer)' })] : [message])),
  },
  {
    refusal: /\b(single|one) tool[ -]calls?\b|\b(multiple|several|parallel|more than one) (tool|function)[ -]calls?\b/i,
    note: 'from now on, each call is a message of its own, and its result is behind it',
    apply: withSingleCalls,
  },
  {
    refusal: /(tool|function)?_?call[^]{0,20}\bid\b[^]{0,200}(must be|length|too long|match|characters)|call_id[^]{0,80}(must|too long|match)/i,
    note: 'from now on, calls have ids of nine letters and digits',
    apply: withShortIds,
  },
  {
    refusal: /system[^\n]{0,30}(role|message|prompt|instruction)[^\n]{0,60}(not support|unsupported|not allowed|not enabled|invalid)|(unsupported|not support|invalid|unknown)[^]{0,40}role((?!\b(tool|function)\b)[^]){0,30}system|system role|developer instruction/i,
    note: 'from now on, the instructions are a part of the first message of the user',
    apply: withoutSystem,
  },
  {
    refusal: /(content|text|message)[^]{0,80}(empty|blank|whitespace|at least 1|too short)|(empty|blank)[^]{0,40}(content|message|text)/i,
    note: 'from now on, an empty result of a tool says that it is empty',
    apply: (request) => withMessages(request, (message) => (message.role === 'tool' && message.content.trim() === '' ? [bare({ ...message, content: '(no output)' })] : [message])),
  },
  {
    refusal: /output[ _](config|format)|response_?format|text\.format|structured output|json[ _](mode|schema|object)|schema/i,
    note: 'from now on, the schema of an answer is a part of the instructions',
    apply: withSchemaInText,
  },
];

/** Words of schemas that say nothing which the core does not check itself. */
const KEYWORDS = ['additionalProperties', '$schema', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format', 'default', 'examples', 'title', 'const'];

/** Fields of bodies with the limit of an answer. */
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

/** A smaller number is no limit of an answer. */
const LEAST_LIMIT = 16;

/** Wordings of servers for an unknown field of a request. */
export const UNKNOWN_FIELD = /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|forbidden|not permitted|not allowed|additional propert|cannot find field|extra (fields|inputs)/i;

/** What a service has refused, and what requests have in its place. */
export class Learned {
  readonly #changes = new Set<Change>();
  /** Words of schemas that are left out. */
  readonly #keywords = new Set<string>();
  /** Fields of the body that are left out. */
  readonly #left = new Set<string>();

  /** The largest limit of an answer. */
  #most = Infinity;
  /** The limits that were sent. */
  readonly #limits = new Set<number>();

  /** `optional`: fields of the adapter's bodies that a service need not know. */
  constructor(private readonly optional: string[] = []) {}

  /** Learns from a refusal, and says what. Nothing if it names nothing of this request that can be changed without loss. */
  learn({ status, text }: Refusal, request: ModelRequest): string | undefined {
    // Templates of open models fail with 500.
    if (status !== 400 && status !== 422 && status !== 500) return undefined;
    const most = this.#mostIn(text);
    if (most !== undefined) {
      this.#most = most;
      return `from now on, an answer has at most ${most} tokens`;
    }
    const field = this.optional.find((name) => !this.#left.has(name) && new RegExp(`\\b${name}\\b`).test(text) && UNKNOWN_FIELD.test(text));
    if (field !== undefined) {
      this.#left.add(field);
      return `from now on, requests are without \`${field}\``;
    }
    const sent = this.apply(request);
    const change = CHANGES.find((change) => !this.#changes.has(change) && change.refusal.test(text) && change.apply(sent) !== sent);
    const keywords = KEYWORDS.filter((name) => !this.#keywords.has(name) && names(text, name) && UNKNOWN_FIELD.test(text) && has(sent.tools, name));
    for (const name of keywords) this.#keywords.add(name);
    if (keywords.length > 0) return `from now on, the schemas of tools are without ${keywords.join(', ')}`;
    if (change) this.#changes.add(change);
    return change?.note;
  }

  /** The limit that a refusal allows in place of one that was sent. */
  #mostIn(text: string): number | undefined {
    if (!/max[ _]?([a-z]+[ _]?)?tokens/i.test(text) || isOverflow(text)) return undefined;
    // Numbers of names, of places and of codes are none.
    const numbers = (text.match(/(?<![\w.-]|":)\d[\d,]*(?![\w-])/g) ?? []).map((number) => Number(number.replaceAll(',', '')));
    const sent = Math.max(...numbers.filter((number) => this.#limits.has(number)));
    const most = Math.max(...numbers.filter((number) => number < sent && number >= LEAST_LIMIT));
    return Number.isFinite(most) ? most : undefined;
  }

  #limited(limit: number): number {
    const limited = Math.min(limit, this.#most);
    this.#limits.add(limited);
    return limited;
  }

  /** The body as the service takes it. */
  body(body: object): object {
    const kept = this.#left.size === 0 ? body : withoutFields(body, this.#left);
    const limits = Object.entries(kept).filter(([name, value]) => LIMITS.includes(name) && typeof value === 'number');
    return { ...kept, ...Object.fromEntries(limits.map(([name, value]) => [name, this.#limited(value)])) };
  }

  /** The request as the service takes it. */
  apply(given: ModelRequest): ModelRequest {
    const limit: unknown = property(given, 'maxOutputTokens');
    const limited = typeof limit === 'number' ? this.#limited(limit) : limit;
    const request = limited === limit ? given : (bare({ ...given, maxOutputTokens: limited }) as ModelRequest);
    const tools = this.#keywords.size === 0 ? request.tools : request.tools.map((tool) => bare({ ...tool, function: bare({ ...tool.function, parameters: without(tool.function.parameters, this.#keywords) as object }) }));
    return [...this.#changes].reduce((changed, change) => change.apply(changed), tools === request.tools ? request : bare({ ...request, tools }));
  }
}

/** The objects of a body that have optional fields: the body, its instructions, its tools, and the format of its answer. */
function withoutFields(body: object, names: ReadonlySet<string>): object {
  const without = (value: unknown): unknown => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name))) : value);
  const each = (value: unknown): unknown => (Array.isArray(value) ? value.map(without) : value);
  const { tools, system, text } = properties(body, 'tools', 'system', 'text');
  const format: unknown = property(text, 'format');
  return {
    ...(without(body) as object),
    ...(tools !== undefined && { tools: each(tools) }),
    ...(system !== undefined && { system: each(system) }),
    ...(format !== undefined && { text: { ...text, format: without(format) } }),
  };
}

function withMessages(request: ModelRequest, change: (message: ChatMessage, before: ChatMessage | undefined, at: number) => ChatMessage[]): ModelRequest {
  const messages = request.messages.flatMap((message, at) => change(message, request.messages[at - 1], at));
  const isSame = messages.length === request.messages.length && messages.every((message, at) => message === request.messages[at]);
  return isSame ? request : bare({ ...request, messages });
}

function withSingleCalls(request: ModelRequest): ModelRequest {
  const moved = new Set<ChatMessage>();
  return withMessages(request, (message, _, at) => {
    if (moved.has(message)) return [];
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (calls.length < 2) return [message];
    const after = request.messages.slice(at + 1);
    const end = after.findIndex(({ role }) => role !== 'tool');
    const results = end < 0 ? after : after.slice(0, end);
    return calls.flatMap((call, number) => {
      const own = results.filter((result) => result.role === 'tool' && result.tool_call_id === call.id);
      for (const result of own) moved.add(result);
      const alone: ChatMessage = number === 0 ? bare({ ...message, tool_calls: [call] }) : { role: 'assistant', content: null, tool_calls: [call] };
      return [alone, ...own];
    });
  });
}

/** Ids by their order, so that the ids of a conversation that goes on stay. */
function withShortIds(request: ModelRequest): ModelRequest {
  const ids = new Map<string, string>();
  const short = (id: string) => {
    const known = ids.get(id) ?? String(ids.size + 1).padStart(9, '0');
    ids.set(id, known);
    return known;
  };
  return withMessages(request, (message) => {
    if (message.role === 'tool') return short(message.tool_call_id) === message.tool_call_id ? [message] : [bare({ ...message, tool_call_id: short(message.tool_call_id) })];
    if (message.role !== 'assistant' || !message.tool_calls?.some(({ id }) => short(id) !== id)) return [message];
    return [bare({ ...message, tool_calls: message.tool_calls.map((call) => bare({ ...call, id: short(call.id) })) })];
  });
}

function withoutSystem(request: ModelRequest): ModelRequest {
  const instructions = request.messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  if (instructions.length === 0) return request;
  const rest = request.messages.filter(({ role }) => role !== 'system');
  const [first] = rest;
  const text = instructions.join('\n\n');
  const messages: ChatMessage[] = first?.role === 'user' ? [bare({ ...first, content: `${text}\n\n${first.content}` }), ...rest.slice(1)] : [{ role: 'user', content: text }, ...rest];
  return bare({ ...request, messages });
}

function withSchemaInText(request: ModelRequest): ModelRequest {
  const format = property(request, 'responseFormat') as ModelRequest['responseFormat'];
  if (!format) return request;
  const text = `Answer with one JSON object and nothing else. It must fit this JSON Schema: ${JSON.stringify(format.schema)}`;
  const [first, ...rest] = request.messages;
  const messages: ChatMessage[] = first?.role === 'system' ? [{ role: 'system', content: `${first.content}\n\n${text}` }, ...rest] : [{ role: 'system', content: text }, ...request.messages];
  return bare({ ...request, messages, responseFormat: undefined });
}

/** Whether a refusal names a word of schemas, and does not only use it. */
function names(text: string, name: string): boolean {
  if (/[A-Z$]/.test(name)) return text.includes(name);
  return ['"', "'", '`'].some((quote) => text.includes(quote + name + quote));
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && (Object.hasOwn(value, name) || Object.values(value).some((inner) => has(inner, name)));
}

/** A schema without these words. Names of properties are none. */
function without(schema: unknown, keywords: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => without(item, keywords));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name]) => !keywords.has(name));
  return bare(Object.fromEntries(kept.map(([name, value]) => [name, name === 'properties' ? eachProperty(value, keywords) : without(value, keywords)])));
}

function eachProperty(properties: unknown, keywords: ReadonlySet<string>): unknown {
  return bare(Object.fromEntries(Object.entries(Object(properties)).map(([name, value]) => [name, without(value, keywords)])));
}
