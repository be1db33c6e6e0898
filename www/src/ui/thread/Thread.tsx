import { computed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { previewErrors } from '../../host/preview';
import { isScripted } from '../../model/choice';
import { isBlank, mistakeOf, STORIES, story } from '../../model/story/stories';
import { asked } from '../../run/approval';
import { cardsOf, endingOf } from '../../run/cards';
import { changed, earlier, isAsked, isRunning, pending, unfinished, view } from '../../run/session';
import { history } from '../../snapshots/snapshots';
import { startup } from '../../store';
import { editing, preview } from '../../task/preview';
import { Icon } from '../Icon';
import { StoryCard, StoryGallery } from '../StoryGallery';
import { ApprovalCard, InterruptedCard, QuestionCard, WhoseCard } from './AskCards';
import { CardView } from './CardView';
import { ResultCard } from './ResultCard';
import { TaskEditor } from './TaskEditor';

/** Nothing has run yet: the thread is shown from its start. */
const isFirst = computed(() => view.value.status === 'idle' && !earlier.value.length);

const showsGallery = computed(() => isFirst.value && story.value === STORIES[0]);

/** The distance from the end, in pixels, that counts as the end. */
const NEAR_END = 48;

/** The conversation: the story, earlier runs, the newest run, and what it asks. */
export function Thread() {
  const list = useRef<HTMLDivElement>(null);
  const following = useSignal(true);
  /** The last automatic scroll position. */
  const end = useRef(0);
  const toEnd = () => {
    following.value = true;
    list.current!.scrollTop = list.current!.scrollHeight;
    end.current = list.current!.scrollTop;
  };
  /** A list that grew since its automatic scroll, or that became shorter, is still at its end. */
  const judge = () => {
    const { scrollTop, scrollHeight, clientHeight } = list.current!;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) following.value = true;
    else if (scrollTop < Math.min(end.current, scrollHeight - clientHeight) - NEAR_END) following.value = false;
  };
  const keepAtEnd = () => {
    // The event of a scroll by the user comes later.
    judge();
    if (following.peek() && !isFirst.peek()) toEnd();
  };
  useLayoutEffect(keepAtEnd, [view.value, earlier.value, pending.value, asked.value, editing.value]);
  // The parts of the result that are read later.
  useEffect(() => {
    const frame = requestAnimationFrame(keepAtEnd);
    return () => cancelAnimationFrame(frame);
  }, [view.value, changed.value, history.value, previewErrors.value]);
  useEffect(() => {
    const observer = new ResizeObserver(keepAtEnd);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <section class="thread" id="thread" aria-label="Conversation">
      {/* `announce` speaks the important events. */}
      <div class="thread-list" role="log" aria-live="off" aria-label="Conversation" tabIndex={0} ref={list} onScroll={judge}>
        {showsGallery.value && <StoryGallery />}
        {isScripted.value && !isBlank.value && !showsGallery.value && <StoryCard />}
        {earlier.value.map((run) => <div class="earlier-run" key={run.runId}>{endingOf(run) && <ResultCard view={run} isFolded />}</div>)}
        <Newest />
      </div>
      {!following.value && !isFirst.value && <button type="button" class="to-end" onClick={toEnd}><Icon name="down" /> Latest</button>}
    </section>
  );
}

function Newest() {
  const run = view.value;
  const ready = 'ready' in startup.value;
  // The question about the plan has its outline.
  const cards = cardsOf(run, pending.value, isScripted.value && !isBlank.value ? mistakeOf(story.value) : undefined).filter((card) => !(card.kind === 'plan' && card.state === 'asks' && asked.value?.kind === 'plan'));
  const isOver = !isRunning.value && ready;
  return (
    <>
      {cards.map((card, at) => <CardView key={`${run.runId} ${at}`} card={card} />)}
      {isOver && (asked.value
        ? asked.value.kind === 'whose'
          ? <WhoseCard asked={asked.value} key={asked.value.id} />
          : <ApprovalCard asked={asked.value} key={asked.value.id} />
        : isAsked.value && run.result?.clarification
          ? <QuestionCard questions={run.result.clarification} key={run.runId} />
          : endingOf(run) && <ResultCard view={run} key={run.runId} />)}
      {isOver && !asked.value && !(endingOf(run) && unfinished.value?.runId === run.runId) && <InterruptedCard />}
      {ready && editing.value && preview.value && <TaskEditor {...preview.value} />}
    </>
  );
}
