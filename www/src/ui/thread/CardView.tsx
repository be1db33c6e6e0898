import { useEffect, useState } from 'preact/hooks';
import { memo } from 'preact/compat';
import type { PlanReport } from 'loopgate';
import { modelError } from '../../model/choice';
import { foldPassed, sectionsOf, themeOf, type Card } from '../../run/cards';
import { plainMessage } from '../../plan/outline';
import { count, sentence } from '../../run/describe';
import { TYPES } from '../../task/draft';
import { retryNow } from '../../run/session';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { BuildContext } from '../plan/BuildContext';
import { LineRow, TONE_ICONS } from './LineRow';
import { TaskLines } from './TaskLines';

type Of<Kind extends Card['kind']> = Extract<Card, { kind: Kind }>;

export function CardView({ card }: { card: Card }) {
  switch (card.kind) {
    case 'message':
      return <div class="bubble"><p>{card.text}</p>{card.note && <p class="muted small-text">{card.note}</p>}</div>;
    case 'task':
      return <TaskCard {...card} />;
    case 'plan':
      return <PlanCard {...card} />;
    case 'heading':
      return <p class={`thread-heading tone-${card.tone}`}><Icon name={TONE_ICONS[card.tone]} /> {card.text}</p>;
    case 'attempt':
      return <AttemptRow {...card} />;
    case 'wait':
      return <WaitLine {...card} />;
    case 'activity':
      return <p class="activity"><span class="spinner" aria-hidden="true" /> {card.text}</p>;
  }
}

const TaskCard = ({ task, notes }: Of<'task'>) => (
  <section class="thread-card" aria-label="What I understood">
    <h2>What I understood <span class="muted">{TYPES[task.type] && `· ${TYPES[task.type]} `}({task.parsedBy === 'model' ? 'by the model' : 'by rules'})</span></h2>
    <TaskLines task={task} />
    {notes.map((note) => <p key={note} class="muted small-text">{note}</p>)}
  </section>
);

function PlanCard({ report, state, context }: Of<'plan'>) {
  const verdict = { refused: { tone: 'bad', text: `refused: ${count(report.failures.length, 'error')}` }, asks: { tone: 'warn', text: 'waits for you' }, valid: { tone: 'good', text: 'valid' } }[state];
  return (
    <section class="thread-card plan-card" aria-label="Plan">
      <h2>Plan · {count(sectionsOf(report.root).length, 'section')} <span class={`verdict tone-${verdict.tone}`}><Icon name={state === 'valid' ? 'check' : 'warning'} /> {verdict.text}</span></h2>
      <PlanOutline report={report} />
      {context && <details><summary>Theme and examples</summary><BuildContext {...context} /></details>}
    </section>
  );
}

/** The sections, the theme and the problems of a plan. */
export function PlanOutline({ report }: { report: PlanReport }) {
  const theme = themeOf(report.root);
  return (
    <>
      <ol class="outline">{sectionsOf(report.root).map((section, at) => <li key={at}>{section}</li>)}</ol>
      {theme && <p class="muted plan-theme">{theme.hue !== undefined && <span class="swatch" style={{ '--hue': theme.hue }} aria-hidden="true" />}Theme {theme.name}</p>}
      <Findings report={report} />
    </>
  );
}

/** Without the ids of the rules. */
const Findings = ({ report: { failures, warnings } }: { report: PlanReport }) => (
  <ul class="findings">
    {[...failures, ...warnings].map(({ id, line, column, message, suggestions }) => (
      <li key={`${id}:${line}:${column}`}>Line {line}: {plainMessage({ message, suggestions })}{suggestions?.length ? <strong> Use {suggestions.join(' or ')}</strong> : null}</li>
    ))}
  </ul>
);

/** One line, with the lines of the attempt to expand. */
const AttemptRow = memo(function AttemptRow({ attempt, title, tone, lines, isCaught }: Of<'attempt'>) {
  return (
    <details class={`attempt tone-${tone}`} data-attempt={attempt.number}>
      <summary>
        <Icon name="chevron" />
        <span class="attempt-title">{title}{isCaught && <strong class="caught"> ← here</strong>}</span>
      </summary>
      {foldPassed(lines).map((line) => ('passed' in line ? <PassedChecks key={line.key} lines={line.passed} /> : <LineRow key={line.key} line={line} />))}
    </details>
  );
}, (a, b) => a.attempt === b.attempt && a.isCaught === b.isCaught && a.lines.length === b.lines.length && a.lines.every((line, at) => line === b.lines[at]));

function PassedChecks({ lines }: { lines: Extract<ReturnType<typeof foldPassed>[number], { passed: unknown }>['passed'] }) {
  if (lines.length === 1) return <LineRow line={lines[0]!} />;
  return (
    <details class="passed tone-good">
      <summary class="entry-line"><Icon name="check" /> {count(lines.length, 'check')} passed</summary>
      {lines.map((line) => <LineRow key={line.key} line={line} />)}
    </details>
  );
}

/** Screen readers get the announcement of the wait, not each second. */
function WaitLine({ wait: { until, attempt, of, reason } }: Of<'wait'>) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div class="thread-card wait-card tone-warn">
      <p>{sentence(modelError.value ?? reason)} Try {attempt} of {of} <span aria-hidden="true">in {seconds} s</span></p>
      <div class="card-actions"><button type="button" class="primary" onClick={retryNow}>Retry now</button><ModelSettingsButton /></div>
    </div>
  );
}
