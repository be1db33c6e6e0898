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
  const last = useRef({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });
  const first = entries[0]?.key;
  const hidden = Math.max(0, entries.length - shown.value);

  useEffect(() => {
    following.value = true;
    shown.value = PAGE;
  }, [first === undefined]);
  useLayoutEffect(() => {
    if (following.peek()) scrollToEnd(list.current!);
  }, [entries, activity]);
  useEffect(() => {
    const observer = new ResizeObserver(() => following.peek() && scrollToEnd(list.current!));
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = list.current!;
    const before = last.current;
    last.current = { scrollTop, scrollHeight, clientHeight };
    // A panel that changes its size moves by itself: only who goes up in what is there stops following.
    const wentUp = scrollTop < before.scrollTop && scrollHeight >= before.scrollHeight && clientHeight <= before.clientHeight;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) following.value = true;
    else if (wentUp) following.value = false;
  };
  const follow = () => {
    following.value = true;
    scrollToEnd(list.current!);
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

const scrollToEnd = (list: HTMLElement): void => list.scrollTo({ top: list.scrollHeight });
