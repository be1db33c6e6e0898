import { useComputed, signal } from '@preact/signals';
import { planDiff } from '../../plan/diff';
import { outline, unplanned, type Built, type OutlineItem, type OutlineMarker } from '../../plan/outline';
import { planReport } from '../../plan/plan';
import { planScope } from '../../plan/scope';
import { showsPlanSource } from '../../store';
import { Icon } from '../Icon';
import type { PlanEditor } from '../../plan/editor/editor';

/** The outline of the plan, with markers, verdicts and build state. */
export function PlanTree() {
  const root = useComputed(() => planReport.value && outline(planReport.value, planDiff.value, planScope.value));
  const extra = useComputed(() => unplanned(planDiff.value));
  return (
    <section class="plan-tree" aria-labelledby="plan-tree-heading">
      <h2 id="plan-tree-heading">Outline</h2>
      {root.value ? <ul><Item item={root.value} /></ul> : <p class="empty">The plan has syntax errors, so there is no outline.</p>}
      {root.value && extra.value.length > 0 && (
        <>
          <h2>Not in the plan</h2>
          <ul>{extra.value.map(({ found, detail }, index) => <li key={index} class="outline-extra"><code>{found}</code> <span class="muted">{detail}</span></li>)}</ul>
        </>
      )}
    </section>
  );
}

const NAMES: Record<OutlineItem['kind'], string> = { app: 'App', theme: 'Theme', screen: 'Screen', section: 'Section', data: 'Data', schema: 'Schema', endpoint: 'Endpoint' };

function Item({ item }: { item: OutlineItem }) {
  const { kind, name, about, markers, built, items } = item;
  return (
    <li class={`outline-item outline-${kind}`} data-kind={kind} data-name={name} data-built={built?.status}>
      <button type="button" class="quiet" onClick={() => goTo(item)}>
        <span class="outline-kind">{NAMES[kind]}</span>
        <span class="outline-name">{name}</span>
        {built && <BuiltMark built={built} />}
        {about && <span class="outline-about">{about}</span>}
      </button>
      {markers.map((marker, index) => <Marker key={index} marker={marker} />)}
      {built?.detail && built.status !== 'implemented' && <p class={`outline-detail tone-${TONES[built.status]}`}>{built.detail}</p>}
      {items.length > 0 && <ul>{items.map((child, index) => <Item key={index} item={child} />)}</ul>}
    </li>
  );
}

const TONES = { implemented: 'good', deviation: 'warn', missing: 'neutral' } as const;
const WORDS = { implemented: 'built', deviation: 'differs', missing: 'not built' } as const;

function BuiltMark({ built: { status, found } }: { built: Built }) {
  return (
    <span class={`outline-built tone-${TONES[status]}`} title={found}>
      <Icon name={status === 'implemented' ? 'check' : status === 'deviation' ? 'warning' : 'circle'} /> {WORDS[status]}
    </span>
  );
}

const VERDICTS = {
  // The requirements have the verdict on what was asked.
  pass: { tone: 'neutral', icon: 'check', word: 'no objection' },
  warn: { tone: 'warn', icon: 'warning', word: 'warning' },
  fail: { tone: 'bad', icon: 'cross', word: 'failed' },
} as const;

function Marker({ marker: { kind, task, text, judged } }: { marker: OutlineMarker }) {
  const verdict = judged && VERDICTS[judged.verdict];
  return (
    <div class={`marker marker-${kind.toLowerCase().replace(' ', '-')}`} data-marker={kind} data-verdict={judged?.verdict}>
      <p>
        <span class="marker-kind">{kind}</span> {text} {task !== null && <span class="muted">task {task}</span>}
        {verdict && <span class={`marker-verdict tone-${verdict.tone}`}> <Icon name={verdict.icon} /> {verdict.word}</span>}
      </p>
      {judged && verdict && judged.verdict !== 'pass' && <p class={`marker-reason tone-${verdict.tone}`}>{judged.reason}</p>}
    </div>
  );
}

/** The editor, once it is loaded. */
export const editor = signal<PlanEditor | null>(null);

export function goTo({ line, column }: { line: number; column: number }): void {
  showsPlanSource.value = true;
  requestAnimationFrame(() => editor.peek()?.goTo(line, column));
}
