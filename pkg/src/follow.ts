import { answerOf } from './answer.js';
import { count, fields, optionalFields, optionalSignal, optionalText } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { Host, RunEvent } from './types/index.js';

/** How often the journal is read if the writer's tab sends no message, in milliseconds. */
const POLL_MS = 2_000;

/**
 * The journaled events of a run, also while another tab writes it. Writes nothing. Streamed text is not journaled.
 *
 * Gives the events of a run that has ended, too. Ends after the last event of the run, or when `signal` is aborted. It waits if the run has no events yet, and if the run's tab was
 * closed: a run that is resumed continues here. An error of the file system or a damaged journal throws, and so does the id of a run that
 * does not begin within `pollMs` (`not-found`).
 *
 * `runId`: default: the newest run of the project. `after`: the `seq` of the last known event. `pollMs`: default: 2,000. The writer's
 * tab also sends a message with new events, through a `BroadcastChannel`.
 *
 * With LightningFS, a tab can read while no other tab has made a call for half a second, so the events arrive in groups.
 */
export function followRun(host: Pick<Host, 'fs' | 'dir' | 'stateKey' | 'projectId'>, options: { runId?: string; after?: number; signal?: AbortSignal; pollMs?: number } = {}): AsyncIterable<RunEvent> {
  const stored = fields(host, 'host', 'fs', 'dir', 'stateKey', 'projectId');
  const { runId, after, signal, pollMs } = optionalFields(options, 'options', 'runId', 'after', 'signal', 'pollMs');
  const run = optionalText(runId, 'runId');
  const known = after === undefined ? -1 : count(after, 'after');
  const poll = count(pollMs ?? POLL_MS, 'pollMs');
  const end = optionalSignal(signal, 'signal');
  return { [Symbol.asyncIterator]: () => read(stored, run, known, poll, end) };
}

async function* read(stored: Pick<Host, 'fs' | 'dir' | 'stateKey' | 'projectId'>, runId: string | undefined, known: number, pollMs: number, signal: AbortSignal | undefined): AsyncGenerator<RunEvent, void, undefined> {
  let channel: BroadcastChannel | undefined;
  try {
    channel = channelOf(stored.dir);
    let isAwaited = false;
    const journaled = (from: number): Promise<RunEvent[]> =>
      answerOf<RunEvent[]>(() => wasm().readEvents(stored, runId, from)).catch((thrown: unknown) => {
        // The run may be about to begin.
        if (isAwaited || toLoopgateError(thrown).code !== 'not-found') throw thrown;
        return [];
      });
    // The known event is read again, because it may be the end of the run.
    for (let [from, isOver] = [Math.max(known, 0), false]; !signal?.aborted; ) {
      // Before the journal is read, so that no message is missed.
      const news = nextNews(channel, pollMs, signal);
      let events = await journaled(from);
      // The event that says whether the run is over may be before `after`, or `after` beyond the last event.
      if (!isAwaited && from > 0 && !events.some(isTurn)) events = await journaled((from = 0));
      isAwaited = true;
      for (const event of events) {
        if (signal?.aborted) return;
        [runId, from] = [event.runId, event.seq + 1];
        if (event.seq > known) yield event;
        // A run that ended or failed may have been resumed. Its last warning may follow its end.
        if (isTurn(event)) isOver = event.type !== 'run-resumed';
      }
      if (isOver) return;
      await news;
    }
  } catch (thrown) {
    throw toLoopgateError(thrown);
  } finally {
    channel?.close();
  }
}

/** Whether a run ends or goes on with the event. */
function isTurn({ type }: RunEvent): boolean {
  return type === 'run-resumed' || type === 'run-finished' || type === 'run-failed';
}

/** Resolves with a message, after `ms`, or when the signal is aborted. */
function nextNews(channel: BroadcastChannel | undefined, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (channel) channel.onmessage = end;
  });
}

/** The channel through which the tab of a run announces new events. */
export function channelOf(dir: string): BroadcastChannel | undefined {
  const name = wasm().runName(dir);
  if (!globalThis.BroadcastChannel) return undefined;
  const channel: BroadcastChannel & { unref?(): void } = new BroadcastChannel(name);
  // An open channel keeps Node.js from exiting.
  channel.unref?.();
  return channel;
}
