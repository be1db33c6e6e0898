/** The model of the demo: a script. It is not an AI and does not understand the task. */
import { signal } from '@preact/signals';
import type { ModelPort, ModelRequest, Usage } from 'loopgate';
import { scriptedModel, type ScriptedTurn } from 'loopgate/testing';
import { observe } from './observe';
import type { Decide } from './stories';

/** `?hang=1`: the next call hangs, to try the Stop button. `?hang=reviewer:words`: the next call of that role whose prompt has the words. */
let hangAt = new URLSearchParams(location.search).get('hang');
export const hangNext = signal(hangAt === '1');

/** More than the limits of a run allow. */
const MOST_TURNS = 1000;
/** The words of one delta. */
const PIECE = /(?:\S+\s*){1,5}/g;

const DEFAULT_DELAY_MS = 250;

/** The delay before each turn and each delta, so that a person can follow. `?delay=0` in the address switches it off. */
function delayFromAddress(): number {
  const given = new URLSearchParams(location.search).get('delay');
  const delay = Number(given ?? DEFAULT_DELAY_MS);
  return Number.isFinite(delay) && delay >= 0 ? delay : DEFAULT_DELAY_MS;
}

/** `tool` is the id of the tool in the configuration that the model is for. Only such a model reports what its answers cost. */
export function storyModel(decide: Decide, { tool = '', delayMs = delayFromAddress() } = {}): ModelPort {
  const turn: ScriptedTurn = (request) => {
    if (mustHang(request)) return { hang: true };
    const { say, calls } = decide(observe(request.messages, request.role, tool));
    const answer = { stream: say.match(PIECE) ?? [], toolCalls: calls };
    return tool ? { ...answer, model: tool, usage: usageOf(JSON.stringify(request.messages), JSON.stringify(answer)) } : answer;
  };
  return scriptedModel(Array<ScriptedTurn>(MOST_TURNS).fill(turn), { delayMs });
}

function mustHang({ role, messages }: ModelRequest): boolean {
  const [wanted, words = ''] = hangAt?.split(':') ?? [];
  const isWanted = wanted === role && messages.some(({ content }) => content?.includes(words));
  if (isWanted) hangAt = null;
  const hangs = hangNext.peek() || isWanted;
  hangNext.value = false;
  return hangs;
}

/** As a provider would count it, with prices of a small model. */
function usageOf(request: string, answer: string): Usage {
  const [inputTokens, outputTokens] = [request, answer].map((text) => Math.ceil(text.length / 4)) as [number, number];
  return { inputTokens, outputTokens, costUsd: (inputTokens + 5 * outputTokens) / 1e6 };
}
