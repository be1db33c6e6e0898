import type { AgentRole, ChatMessage, ModelPort, ModelRequest, ModelResponse, ToolCall, Usage } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

/** A call as a script writes it: `args` that are a string are passed as they are, to be wrong on purpose. */
export interface ScriptedToolCall {
  name: string;
  args?: unknown;
  /** Default: `call_1`, `call_2`, … over the whole script. */
  id?: string;
  providerData?: unknown;
}

/** What the model says in one turn. */
export interface ScriptedAnswer {
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  /** Default: `tool_calls` with calls, `stop` without. */
  finishReason?: ModelResponse['finish_reason'];
  usage?: Usage;
  /** The id of the model that answers. */
  model?: string;
  providerData?: unknown;
  /** Whom the turn is meant for; a request of another role does not get it. Default: anybody but the parser. */
  role?: AgentRole;
}

/**
 * One turn of a script:
 * - a string: the model says it and stops;
 * - an answer: text, reasoning, tool calls;
 * - `{ stream }`: the same, its text passed on piece by piece first;
 * - `{ fail }`: the call rejects with it;
 * - `{ hang: true }`: the call never answers, until it is aborted;
 * - a function of the request, for scripts that look at what they were asked.
 */
export type ScriptedTurn =
  | string
  | ScriptedAnswer
  | (Omit<ScriptedAnswer, 'text'> & { stream: string[] })
  | { fail: unknown; role?: AgentRole }
  | { hang: true; role?: AgentRole }
  | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);

export interface ScriptedModel extends ModelPort {
  /** What the model was asked so far, each a copy; without what the parser asked and no turn was meant for. */
  readonly requests: ModelRequest[];
  /** How many turns the script has left. */
  readonly remaining: number;
}

/**
 * A model that answers from a script. Every request is checked first: each tool call of the conversation must be
 * answered exactly once, in order, before anything else is said; otherwise the call rejects and says where.
 *
 * A run has its message taken apart before the agent works. Such a request, of the role `parser`, takes the next turn only
 * if that is meant for it: one with `role: 'parser'`, or a text that is a JSON object. Otherwise it is answered with no
 * text and takes no turn, and loopgate's rules read the message.
 *
 * `delayMs` waits before every turn and every piece of a stream, so that a person can watch.
 */
export function scriptedModel(turns: Iterable<ScriptedTurn>, options: { delayMs?: number } = {}): ScriptedModel {
  const script = [...turns];
  const requests: ModelRequest[] = [];
  let taken = 0;
  let calls = 0;

  const model: ModelPort = async (request, { signal, onDelta }) => {
    signal.throwIfAborted();
    if (request.role === 'parser' && !isForParser(script[taken])) {
      return { content: null, finish_reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
    }
    requests.push(structuredClone(request));
    checkConversation(request.messages);
    if (taken >= script.length) {
      throw new Error(`the script is over: it has ${script.length} turns, and turn ${taken + 1} was asked for, as ${request.role}, after ${quote(request.messages.at(-1))}`);
    }
    let turn = script[taken] as ScriptedTurn;
    const role = roleOf(turn);
    if (role !== undefined && role !== request.role) throw new Error(`turn ${taken + 1} of the script is meant for the ${role}, and the ${request.role} asked`);
    taken++;
    while (typeof turn === 'function') turn = await turn(request);
    if (typeof turn !== 'string' && (typeof turn !== 'object' || turn === null)) {
      throw new Error(`turn ${taken} of the script is ${turn}: it must be a string, an answer, { stream }, { fail }, { hang } or a function that gives one`);
    }
    await pause(options.delayMs, signal);
    if (typeof turn === 'string') turn = { text: turn };
    if ('fail' in turn) throw turn.fail;
    if ('hang' in turn) return aborted(signal);

    if (turn.reasoning !== undefined) onDelta({ type: 'reasoning', text: turn.reasoning });
    const pieces = 'stream' in turn ? turn.stream : turn.text === undefined ? [] : [turn.text];
    for (const text of 'stream' in turn ? pieces : []) {
      await pause(options.delayMs, signal);
      onDelta({ type: 'text', text });
    }
    const toolCalls = (turn.toolCalls ?? []).map((call): ToolCall => ({
      id: call.id ?? `call_${++calls}`,
      type: 'function',
      function: { name: call.name, arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {}) },
      ...(call.providerData !== undefined && { providerData: call.providerData }),
    }));
    return {
      content: pieces.length > 0 ? pieces.join('') : null,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      finish_reason: turn.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
      ...(turn.usage && { usage: turn.usage }),
      ...(turn.model !== undefined && { model: turn.model }),
      ...(turn.providerData !== undefined && { providerData: turn.providerData }),
    };
  };

  return Object.defineProperties(model, {
    requests: { value: requests },
    remaining: { get: () => script.length - taken },
  }) as ScriptedModel;
}

const roleOf = (turn: ScriptedTurn | undefined): AgentRole | undefined => (typeof turn === 'object' ? turn?.role : undefined);

function isForParser(turn: ScriptedTurn | undefined): boolean {
  const text = typeof turn === 'object' && turn !== null && 'text' in turn ? turn.text : turn;
  if (typeof text !== 'string' || roleOf(turn) !== undefined) return roleOf(turn) === 'parser';
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  } catch {
    return false;
  }
}

/** Throws where a tool call is unanswered, answered twice, answered out of order, or never made. */
function checkConversation(messages: ChatMessage[]): void {
  let open: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, at) => {
    const place = `message ${at} of ${messages.length}`;
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (open[0] === id) open.shift();
      else if (open.includes(id)) throw new Error(`${place} answers the tool call ${id} before ${open[0]}: answers come in the order of the calls`);
      else throw new Error(`${place} answers the tool call ${id}, ${seen.has(id) ? 'which was answered already' : 'which nobody made'}`);
      return;
    }
    if (open.length > 0) throw new Error(`${place} (${message.role}) comes before the answer to the tool call ${open[0]}`);
    if (message.role === 'assistant') {
      open = (message.tool_calls ?? []).map((call) => call.id);
      for (const id of open) {
        if (seen.has(id)) throw new Error(`${place} makes a second tool call with the id ${id}`);
        seen.add(id);
      }
    }
  });
  if (open.length > 0) throw new Error(`the tool calls ${open.join(', ')} were not answered`);
}

function quote(message: ChatMessage | undefined): string {
  return message ? `${message.role}: ${JSON.stringify((message.content ?? '').slice(0, 200))}` : 'nothing';
}

function pause(delayMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (!delayMs) return Promise.resolve();
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, delayMs)));
  return Promise.race([elapsed, aborted(signal)]).finally(() => clearTimeout(timer));
}

/** Rejects when the signal fires, and never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
