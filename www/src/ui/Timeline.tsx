import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from '../run/entry';
import { EntryRow } from './EntryRow';
import { Icon } from './Icon';

/** Lines in the page at a time: thousands of events must not make it slow. */
const PAGE = 200;
/** How near the end counts as following it, in pixels. */
const NEAR_END = 48;

export function Timeline({ entries, activity }: { entries: Entry[]; activity: string | null }) {
  const list = useRef<HTMLDivElement>(null);
  const following = useSignal(true);
  const shown = useSignal(PAGE);
  /** How far down the list was put, to tell the user's scrolling from the list's own. */
  const end = useRef(0);
  const first = entries[0]?.key;
  const hidden = Math.max(0, entries.length - shown.value);

  useEffect(() => {
    following.value = true;
    shown.value = PAGE;
  }, [first === undefined]);
  useLayoutEffect(() => keepAtEnd(), [entries, activity]);
  useEffect(() => {
    const observer = new ResizeObserver(() => keepAtEnd());
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);

  const keepAtEnd = () => {
    following.value = following.peek() && !isAbove(list.current!, end.current);
    if (following.peek()) toEnd();
  };
  const toEnd = () => {
    list.current!.scrollTop = list.current!.scrollHeight;
    end.current = list.current!.scrollTop;
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = list.current!;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) following.value = true;
    else if (isAbove(list.current!, end.current)) following.value = false;
  };
  const follow = () => {
    following.value = true;
    toEnd();
  };
  return (
    <section class="panel timeline-panel" aria-labelledby="timeline-heading">
      <h2 id="timeline-heading" class="panel-title">
        Timeline <span class="muted count">{entries.length > 0 && `${entries.length}`}</span>
      </h2>
      {/* Only what matters is announced, through the page's status: a stream of words would be noise. */}
      <div class="panel-body timeline" role="log" aria-live="off" aria-labelledby="timeline-heading" tabIndex={0} ref={list} onScroll={onScroll}>
        {entries.length === 0 && <p class="empty">Run a task, and every step of the agent and of the harness appears here.</p>}
        {hidden > 0 && (
          <button type="button" class="quiet earlier" onClick={() => (shown.value += PAGE)}>
            Show {Math.min(PAGE, hidden)} of {hidden} earlier events
          </button>
        )}
        {entries.slice(hidden).map((entry) => <EntryRow key={entry.key} entry={entry} />)}
        {activity && <p class="activity"><span class="spinner" aria-hidden="true" /> {activity}</p>}
      </div>
      {!following.value && <button type="button" class="to-end" onClick={follow}><Icon name="down" /> Latest</button>}
    </section>
  );
}

/** The user went up from where the list was put. A list that shrank is at its end all the same. */
function isAbove({ scrollTop, scrollHeight, clientHeight }: HTMLElement, end: number): boolean {
  return scrollTop < Math.min(end, scrollHeight - clientHeight) - NEAR_END;
}
