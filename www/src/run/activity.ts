/** The present activity of the run, as text. */
import type { RunView } from './view';

/** `isAsked`: the run waits until the user approves the proposed chunks. */
export function activity({ status, phase, entries, wait }: RunView, isAsked: boolean): string | null {
  if (status === 'stopping') return 'Stopping …';
  if (status !== 'running') return null;
  if (isAsked) return 'Waiting for your approval …';
  const last = entries.at(-1);
  if (last?.detail?.kind === 'tool' && !last.detail.result) return `${last.title} …`;
  if (last?.detail?.kind === 'text' && last.detail.live) return 'The model is answering …';
  if (wait && last) return last.title;
  if (phase === 'check') return 'Checking the project …';
  if (phase === 'accept') return 'Saving a snapshot …';
  return 'Waiting for the model …';
}
