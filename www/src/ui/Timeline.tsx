import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from '../run/entry';
import { EntryRow } from './EntryRow';
import { Icon } from './Icon';

/** The number of lines rendered at first. */
const PAGE = 200;
/** The distance from the end, in pixels, that counts as the end. */
const NEAR_END = 48;

export function Timeline({ entries, activity }: { entries: Entry[]; activity: string | null }) {
  const list = useRef<HTMLDivElement>(null);
  const following = useSignal(true);
  const shown = useSignal(PAGE);
  /** The last automatic scroll position, to distinguish it from scrolling by the user. */
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
      {/* Important events are announced by the Announcer; announcing every line would be too much. */}
      <div class="panel-body timeline" role="log" aria-live="off" aria-labelledby="timeline-heading" tabIndex={0} ref={list} onScroll={onScroll}>
        {entries.length === 0 && <p class="empty">Run a task to see each step of the agent and the harness here.</p>}
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

/** The user has scrolled up. A list that became shorter is still at its end. */
function isAbove({ scrollTop, scrollHeight, clientHeight }: HTMLElement, end: number): boolean {
  return scrollTop < Math.min(end, scrollHeight - clientHeight) - NEAR_END;
}
