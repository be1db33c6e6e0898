import { useSignal } from '@preact/signals';
import { view } from '../../run/session';
import { LineRow } from './LineRow';

/** The number of lines rendered at first. */
const PAGE = 200;

/** All lines of the newest run, newest last. */
export function EventsView() {
  const shown = useSignal(PAGE);
  const { lines } = view.value;
  const hidden = Math.max(0, lines.length - shown.value);
  if (!lines.length) return <p class="empty">No events yet.</p>;
  return (
    <div class="events-view" role="log" aria-live="off" aria-label="All events" tabIndex={0}>
      {hidden > 0 && <button type="button" class="quiet" onClick={() => (shown.value += PAGE)}>Show {Math.min(PAGE, hidden)} of {hidden} earlier events</button>}
      {lines.slice(hidden).map((line) => <LineRow key={line.key} line={line} hasType />)}
    </div>
  );
}
