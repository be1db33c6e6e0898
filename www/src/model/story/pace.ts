/** How fast the scripted model answers: slowly enough to watch, or at once (`?delay=0`). */
import type { ModelDelta } from 'loopgate';

const DEFAULT_DELAY_MS = 250;

/** Milliseconds before each turn. */
export function delayFromAddress(search = location.search): number {
  const given = new URLSearchParams(search).get('delay');
  const delay = Number(given ?? DEFAULT_DELAY_MS);
  return Number.isFinite(delay) && delay >= 0 ? delay : DEFAULT_DELAY_MS;
}

/** Says the words one after the other, over about twice the delay. */
export async function speak(text: string, delay: number, signal: AbortSignal, onDelta: (delta: ModelDelta) => void): Promise<void> {
  if (delay === 0) return onDelta({ type: 'text', text });
  await wait(delay, signal);
  const words = text.split(/(?<=\s)/);
  for (const word of words) {
    onDelta({ type: 'text', text: word });
    await wait((2 * delay) / words.length, signal);
  }
}

export function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}
