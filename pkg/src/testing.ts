import { optionalFields } from './arguments.js';
import { bare, property } from './own.js';
import type { AgentRole, ChatMessage, ModelPort, ModelRequest, ModelResponse, ToolCall, Usage } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

/** `args` that are a string are passed verbatim, so that a script can send invalid JSON. */
export interface ScriptedToolCall {
  name: string;
  args?: unknown;
  /** Default: `call_1`, `call_2`, …, counted over the script. */
  id?: string;
  providerData?: unknown;
}

export interface ScriptedAnswer {
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  /** Default: `tool_calls` with calls, `stop` without. */
  finishReason?: ModelResponse['finish_reason'];
  usage?: Usage;
  /** The model's id. */
  model?: string;
  providerData?: unknown;
  /** A request with another role fails. Default: every role but `parser`. */
  role?: AgentRole;
}

/**
 * One turn of a script:
 * - a string: the model answers with this text and stops;
 * - an answer: text, reasoning, tool calls;
 * - `{ stream }`: the same, with the text and the calls as deltas;
 * - `{ fail }`: the call rejects with this value;
 * - `{ hang: true }`: the call does not end until it is aborted;
 * - a function that computes the turn from the request.
 */
export type ScriptedTurn =
  | string
  | ScriptedAnswer
  | (Omit<ScriptedAnswer, 'text'> & { stream: string[] })
  | { fail: unknown; role?: AgentRole }
  | { hang: true; role?: AgentRole }
  | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);

export interface ScriptedModel extends ModelPort {
  /** Copies of the requests so far, without the parser's requests that took no turn. */
  readonly requests: ModelRequest[];
  /** The number of turns left. */
  readonly remaining: number;
}

/**
 * A model that answers from a script. It validates every request: each tool call of the conversation must have exactly one result,
 * in order, before the next message. Otherwise the call rejects with the position of the error.
 *
 * A run first asks the model to parse the message, with the role `parser`. Such a request takes the next turn only if that turn has
 * `role: 'parser'` or is the text of a JSON object. Otherwise the answer is empty, and the rules of loopgate parse the message.
 *
 * `delayMs` is the delay before every turn and every delta, so that a person can follow.
 */
export function scriptedModel(turns: Iterable<ScriptedTurn>, options: { delayMs?: number } = {}): ScriptedModel {
  const { delayMs } = optionalFields(options, 'options', 'delayMs');
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
      throw new Error(`the script has only ${script.length} turns: no turn ${taken + 1} for the ${request.role}, after ${quote(request.messages.at(-1))}`);
    }
    let turn = script[taken] as ScriptedTurn;
    const role = roleOf(turn);
    if (role !== undefined && role !== request.role) throw new Error(`turn ${taken + 1} of the script is for the ${role}, but the request is from the ${request.role}`);
    taken++;
    while (typeof turn === 'function') turn = await turn(request);
    if (typeof turn !== 'string' && (typeof turn !== 'object' || turn === null)) {
      throw new Error(`turn ${taken} of the script is ${turn}: use a string, an answer, { stream }, { fail }, { hang } or a function that returns one`);
    }
    await pause(delayMs, signal);
    turn = bare(typeof turn === 'string' ? { text: turn } : turn);
    if ('fail' in turn) throw turn.fail;
    if ('hang' in turn) return aborted(signal);

    if (turn.reasoning !== undefined) onDelta({ type: 'reasoning', text: turn.reasoning });
    const pieces = 'stream' in turn ? turn.stream : turn.text === undefined ? [] : [turn.text];
    for (const text of 'stream' in turn ? pieces : []) {
      await pause(delayMs, signal);
      onDelta({ type: 'text', text });
    }
    const toolCalls = (turn.toolCalls ?? []).map(bare).map((call): ToolCall => ({
      id: call.id ?? `call_${++calls}`,
      type: 'function',
      function: { name: call.name, arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {}) },
      ...(call.providerData !== undefined && { providerData: call.providerData }),
    }));
    if ('stream' in turn) {
      for (const { id, function: { name, arguments: text } } of toolCalls) onDelta({ type: 'tool', id, name, text });
    }
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

const roleOf = (turn: ScriptedTurn | undefined): AgentRole | undefined => (typeof turn === 'object' ? property(turn, 'role') : undefined);

function isForParser(turn: ScriptedTurn | undefined): boolean {
  const text: unknown = property(turn, 'text') ?? turn;
  if (typeof text !== 'string' || roleOf(turn) !== undefined) return roleOf(turn) === 'parser';
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  } catch {
    return false;
  }
}

/** Throws unless every tool call has exactly one result, in order. */
function checkConversation(messages: ChatMessage[]): void {
  let open: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, at) => {
    const place = `message ${at} of ${messages.length}`;
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (open[0] === id) open.shift();
      else if (open.includes(id)) throw new Error(`${place} is the result of tool call ${id}, before the result of ${open[0]}: results must be in the order of the calls`);
      else throw new Error(`${place} is the result of tool call ${id}, ${seen.has(id) ? 'which already has one' : 'which does not exist'}`);
      return;
    }
    if (open.length > 0) throw new Error(`${place} (${message.role}) comes before the result of tool call ${open[0]}`);
    if (message.role === 'assistant') {
      open = (bare(message).tool_calls ?? []).map((call) => call.id);
      for (const id of open) {
        if (seen.has(id)) throw new Error(`${place} has a second tool call with the id ${id}`);
        seen.add(id);
      }
    }
  });
  if (open.length > 0) throw new Error(`the tool calls ${open.join(', ')} have no result`);
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
    signal.addEventListener('abort', () => reject(signal.reason), bare({ once: true }));
  });
}
