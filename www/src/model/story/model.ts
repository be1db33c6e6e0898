/** The model of the demo: a script. It does not understand the task, and it is no AI. */
import { signal } from '@preact/signals';
import type { ModelPort, ModelResponse, ToolCall } from 'loopgate';
import { decide } from './decide';
import { observe, type Turn } from './observe';
import { delayFromAddress, speak, wait } from './pace';

/** The next call of the scripted model never answers, so that stopping can be tried (`?hang=1`). */
export const hangNext = signal(new URLSearchParams(location.search).get('hang') === '1');

const FOREVER_MS = 2 ** 31 - 1;

export function storyModel(): ModelPort {
  const delay = delayFromAddress();
  return async (request, { signal, onDelta }) => {
    if (hangNext.peek()) {
      hangNext.value = false;
      onDelta({ type: 'text', text: 'I am thinking about this for ever, until somebody stops me …' });
      await wait(FOREVER_MS, signal);
    }
    const seen = observe(request.messages);
    const turn = 'turn' in seen ? seen.turn : decide(seen.observation)[seen.turnsTaken];
    const { say, calls } = turn ?? FINISHED;
    await speak(say, delay, signal, onDelta);
    return answer(say, calls, request.messages.length);
  };
}

const FINISHED: Turn = { say: 'I have nothing to add.', calls: [{ name: 'complete_task', args: {} }] };

function answer(content: string, calls: Turn['calls'], position: number): ModelResponse {
  const tool_calls = calls.map(({ name, args }, index): ToolCall => {
    return { id: `call-${position}-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  });
  return { content, tool_calls, finish_reason: 'tool_calls' };
}
