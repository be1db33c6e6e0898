import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { readText, revision } from '../../project/project';
import type { CurrentSpec, Outcome } from '../../specs/progress';
import { logName, type SpecRow } from '../../specs/rows';
import { progress } from '../../specs/specs';
import { useEffect } from 'preact/hooks';
import { Icon, type IconName } from '../Icon';
import { describeState } from './SpecList';

interface SpecDetailProps {
  row: SpecRow;
  /** The run works on this spec. */
  current: CurrentSpec | null;
  locked: boolean;
  onRun(path: string, force?: boolean): void;
}

/** The plan, the archived plans, the attempts and the result of a spec. */
export function SpecDetail({ row, current, locked, onRun }: SpecDetailProps) {
  const { path, title, text, state, plan, archives, runs, done } = row;
  const { reasons } = progress.value;
  const { tone, text: words } = describeState(state);
  const isDone = state.kind === 'done';
  return (
    <section class="spec-detail" aria-labelledby="spec-heading" tabIndex={0}>
      <header class="spec-head">
        <h3 id="spec-heading">{title}</h3>
        <code class="muted">{path}</code>
        {!current && <span class={`pill tone-${tone}`}>{state.kind === 'invalid' ? 'Not a spec' : words}</span>}
        {state.kind !== 'invalid' && (
          <button type="button" class="small" disabled={locked} aria-label={`${isDone ? 'Run again' : 'Run'}: ${title}`} onClick={() => onRun(path, isDone)}>
            <Icon name={isDone ? 'restore' : 'play'} /> {isDone ? 'Run again' : 'Run'}
          </button>
        )}
      </header>
      {state.kind === 'invalid' && <p class="spec-note tone-neutral">{state.reason}. The harness skips this file.</p>}
      {state.kind === 'planned' && state.feedback && <p class="spec-note tone-warn">The next implementation must fix:{'\n'}{state.feedback}</p>}
      <Document title="Spec" text={text} />
      {state.kind !== 'invalid' && (
        <>
          <Heading text="Plan" />
          {plan === null
            ? <p class="spec-none">{current?.role === 'planner' ? 'The planner is writing it …' : archives.length ? 'The last plan was wrong. The planner writes the next one when the spec runs.' : 'No plan yet. The planner writes one when the spec runs.'}</p>
            : <Document key={plan} title={state.kind === 'planning' ? 'Draft' : 'Current plan'} text={plan} open />}
          {archives.map(({ number, path, text, reason = reasons.get(path) }) => (
            <Document key={path} title={`Plan ${number}, invalidated`} tone="warn" icon="warning" note={reason ?? 'The reason is not in the journal'} text={text} />
          ))}
          <Heading text="Attempts" />
          {runs.length === 0 && <p class="spec-none">No attempts yet.</p>}
          {runs.map(({ time, logs }) => (
            <div key={time} class="spec-run">
              <h5>{time.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, ' $1:$2:$3 UTC')}</h5>
              {logs.map((path) => <Log key={path} path={path} outcome={progress.value.outcomes.get(path)} />)}
            </div>
          ))}
          {done !== null && (
            <>
              <Heading text="Result" />
              <Document title="Done" tone="good" icon="check" text={done} open />
            </>
          )}
        </>
      )}
    </section>
  );
}

const Heading = ({ text }: { text: string }) => <h4>{text}</h4>;

interface FoldProps {
  title: string;
  tone?: string;
  icon?: IconName;
  note?: string | undefined;
  open?: boolean;
  onToggle?(open: boolean): void;
  children: ComponentChildren;
}

function Fold({ title, tone = 'neutral', icon = 'file', note, open = false, onToggle, children }: FoldProps) {
  return (
    <details class={`spec-document tone-${tone}`} open={open} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>
        <Icon name={icon} /> <span class="spec-document-title">{title}</span>
        {note && <span class="spec-document-note">{note}</span>}
      </summary>
      {children}
    </details>
  );
}

const Document = ({ text, ...fold }: Omit<FoldProps, 'children'> & { text: string }) => (
  <Fold {...fold}><pre tabIndex={0}>{text}</pre></Fold>
);

const LOG_TITLES: Record<string, string> = { plan: 'Planning', impl: 'Implementation', verify: 'Verification' };
const ICONS: Record<Outcome['tone'], IconName> = { neutral: 'file', active: 'circle', good: 'check', warn: 'warning', bad: 'cross' };

/** A log, read when it is opened. */
function Log({ path, outcome }: { path: string; outcome: Outcome | undefined }) {
  const open = useSignal(false);
  const text = useSignal<string | null>(null);
  useEffect(() => {
    if (open.value) void readText(path).then((read) => (text.value = read ?? '(deleted)'));
  }, [open.value, path, revision.value]);
  const { role, number } = logName(path);
  return (
    <Fold title={`${LOG_TITLES[role] ?? role} ${number}`} tone={outcome?.tone ?? 'neutral'} icon={ICONS[outcome?.tone ?? 'neutral']} note={outcome && [outcome.text, outcome.detail.split('\n', 1)[0]].filter(Boolean).join(': ')} onToggle={(now) => (open.value = now)}>
      {outcome?.detail.includes('\n') && <p class="spec-note">{outcome.detail}</p>}
      <p class="muted"><code>{path}</code></p>
      <pre tabIndex={0}>{text.value ?? 'Reading …'}</pre>
    </Fold>
  );
}
