/** The model of the demo: a script. It is not an AI and does not understand the task. */
import { signal } from '@preact/signals';
import type { ModelPort } from 'loopgate';
import { scriptedModel, type ScriptedTurn } from 'loopgate/testing';
import { observe } from './observe';
import type { Decide } from './stories';

/** The next call of the scripted model hangs, to try the Stop button (`?hang=1`). */
export const hangNext = signal(new URLSearchParams(location.search).get('hang') === '1');

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

export function storyModel(decide: Decide, delayMs = delayFromAddress()): ModelPort {
  const turn: ScriptedTurn = (request) => {
    if (hangNext.peek()) {
      hangNext.value = false;
      return { hang: true };
    }
    const { say, calls } = decide(observe(request.messages));
    return { stream: say.match(PIECE) ?? [], toolCalls: calls };
  };
  return scriptedModel(Array<ScriptedTurn>(MOST_TURNS).fill(turn), { delayMs });
}
