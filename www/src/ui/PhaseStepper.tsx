import type { Phase } from 'loopgate';
import { view } from '../run/session';
import { Icon } from './Icon';

const PHASES: ReadonlyArray<{ phase: Phase; name: string; about: string }> = [
  { phase: 'plan', name: 'Plan', about: 'The agent writes a plan, and the harness checks it' },
  { phase: 'build', name: 'Build', about: 'The agent implements the plan' },
  { phase: 'check', name: 'Check', about: 'Gates check the project' },
  { phase: 'review', name: 'Review', about: 'A verifier judges the implementation of a spec, reviewers judge the attempts at a chunk. Tasks have no review in this demo' },
  { phase: 'accept', name: 'Accept', about: 'The result is saved as a snapshot' },
];

export function PhaseStepper() {
  const { phase, result, work } = view.value;
  const hasReview = work?.kind === 'spec' || work?.kind === 'chunks';
  const at = PHASES.findIndex((step) => step.phase === phase);
  return (
    <ol class="stepper" aria-label="Phases of the run">
      {PHASES.map(({ phase: step, name, about }, index) => {
        const accepted = result?.success === true;
        const state = accepted || index < at ? (step === 'review' && !hasReview ? 'skipped' : 'done') : index === at ? 'current' : 'ahead';
        return (
          <li key={step} class={`step ${state}`} title={about} aria-current={state === 'current' ? 'step' : undefined}>
            {state === 'done' ? <Icon name="check" /> : <Icon name={state === 'current' ? 'dot' : 'circle'} />}
            {name}
            {state !== 'ahead' && <span class="visually-hidden"> ({state})</span>}
          </li>
        );
      })}
    </ol>
  );
}
