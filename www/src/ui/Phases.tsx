import type { Phase } from 'loopgate';
import { view } from '../run/session';

const PHASES: ReadonlyArray<{ phase: Phase; name: string; about: string }> = [
  { phase: 'plan', name: 'Plan', about: 'The agent writes a plan, and loopgate checks it' },
  { phase: 'build', name: 'Build', about: 'The agent does the work' },
  { phase: 'check', name: 'Check', about: 'Checks run on the project' },
  { phase: 'review', name: 'Review', about: 'A reviewer judges the work. Tasks have no review' },
  { phase: 'accept', name: 'Accept', about: 'The result is saved as a version' },
];

/** The phases of the run, as a line with five segments. */
export function Phases() {
  const { phase } = view.value;
  const at = PHASES.findIndex((step) => step.phase === phase);
  return (
    <ol class="phases" aria-label="Progress of the run">
      {PHASES.map(({ phase: step, name, about }, index) => {
        const state = index < at ? 'done' : index === at ? 'current' : 'ahead';
        return <li key={step} class={state} title={about} aria-current={state === 'current' ? 'step' : undefined}><span class="visually-hidden">{name} ({state})</span></li>;
      })}
    </ol>
  );
}
