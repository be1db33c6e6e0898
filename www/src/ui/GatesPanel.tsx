import type { GateReport } from 'loopgate';
import { roundState, VERDICTS } from '../run/describe';
import { view } from '../run/session';
import { hasGates } from '../run/view';
import { Icon } from './Icon';

const ICONS = { pass: 'check', warn: 'warning', fail: 'cross', error: 'cross' } as const;
const TONES = { pass: 'good', warn: 'warn', fail: 'bad', error: 'bad' } as const;

export function GatesPanel() {
  const { gates, round, phase, work } = view.value;
  return (
    <section class="panel gates-panel" aria-labelledby="gates-heading">
      <h2 id="gates-heading" class="panel-title">
        Gates
        {round > 0 && hasGates(work) && <span class="muted count">round {round}: {roundState(gates, phase)}</span>}
      </h2>
      <div class="panel-body" tabIndex={0} role="group" aria-labelledby="gates-heading">
        {gates.length === 0 ? (
          <p class="empty">{noGates(work?.kind, phase)}</p>
        ) : (
          <ul class="gates">{[...gates].sort(failuresFirst).map((report) => <GateRow key={report.gate} report={report} />)}</ul>
        )}
      </div>
    </section>
  );
}

function noGates(kind: string | undefined, phase: string | undefined): string {
  if (kind === 'spec') return 'Gates run for tasks. The candidate of a spec is judged by a verifier.';
  if (kind === 'chunks') return 'Gates run for tasks. The attempts at a chunk are judged by the verification and the reviews.';
  return phase === 'check' ? 'Checking the project …' : 'Gates run when the agent claims completion. No results yet.';
}

function GateRow({ report: { gate, verdict, feedback, notApplicable } }: { report: GateReport }) {
  return (
    <li class={`gate tone-${notApplicable ? 'neutral' : TONES[verdict]}`} data-gate={gate} data-verdict={verdict} data-not-applicable={notApplicable}>
      <Icon name={notApplicable ? 'dot' : ICONS[verdict]} />
      <span class="gate-name">{gate}</span>
      <span class="gate-verdict">{notApplicable ? 'not applicable' : VERDICTS[verdict]}</span>
      {feedback && <p class="gate-feedback">{notApplicable ? feedback.replace(/^not applicable: /, '') : feedback}</p>}
    </li>
  );
}

/** Failures and warnings, then passed gates, then those that do not apply. */
const failuresFirst = (a: GateReport, b: GateReport): number => rank(a) - rank(b);
const rank = ({ verdict, notApplicable }: GateReport): number => (notApplicable ? 2 : Number(verdict === 'pass'));
