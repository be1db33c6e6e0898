import type { ListedChunk } from 'loopgate';
import { requirementsOf } from '../../specs/draft';
import { FINAL, isWorkedOn, type Spec } from '../../specs/specs';
import { shownStep } from '../../store';
import { Icon } from '../Icon';
import { AttemptPanel } from './AttemptPanel';
import { describeAttempt, describeStep, money, tokens } from './words';

interface StepDetailProps {
  spec: Spec;
  /** Absent for the final review before it began. */
  step: ListedChunk | undefined;
  /** The chosen attempt; 0 is the last one. */
  number: number;
  /** Runs only this step; null while nothing can run. */
  onRun: ((step: string) => void) | null;
}

/** A step with its attempts. */
export function StepDetail({ spec, step, number, onRun }: StepDetailProps) {
  const isFinal = !step || step.id === FINAL;
  const isRunning = isWorkedOn(spec);
  const isReady = step && !isFinal && step.state !== 'shipped' && (step.dependencies ?? []).every((id) => spec.steps.find((other) => other.id === id)?.state === 'shipped');
  const attempts = step?.attempts ?? [];
  const attempt = attempts.find((one) => one.number === number) ?? attempts.at(-1);
  const { tone, text } = step ? describeStep(step, spec.steps, isRunning) : { tone: 'neutral', text: 'Pending' };
  return (
    <section class="step-detail" aria-labelledby="step-heading">
      <header class="spec-head">
        <h4 id="step-heading" tabIndex={-1}>{isFinal ? 'Final review' : step.title}</h4>
        <span class={`pill tone-${tone}`}>{text}</span>
        {step && requirementsOf(step).map((requirement) => <span key={requirement} class="tag">{requirement}</span>)}
        <span class="studio-space" />
        {step?.cost !== undefined && <span class="muted" data-testid="step-cost">{money(step.cost)}</span>}
        {isReady && onRun && <button type="button" class="small quiet" onClick={() => onRun(step.id)}><Icon name="play" /> Run only this step</button>}
      </header>
      <p class="step-description">{isFinal ? 'All steps are reviewed together before the pull request.' : step.description}</p>
      {step?.state === 'failed' && <p class="spec-note tone-bad">{step.reason}</p>}
      {attempts.length === 0 ? <p class="muted">No attempts yet.</p> : (
        <div class="attempts" role="group" aria-label="Attempts">
          {attempts.map((row) => {
            const { tone, icon, text } = describeAttempt(row, isFinal, isRunning);
            return (
              <button key={row.number} type="button" class={`chip tone-${tone}`} data-outcome={row.outcome} aria-pressed={row === attempt} onClick={() => (shownStep.value = { spec: spec.id, step: step!.id, attempt: row.number })}>
                <Icon name={icon} /> Attempt {row.number} <span class="muted">{text}</span>
              </button>
            );
          })}
        </div>
      )}
      {attempt && <p class="muted attempt-facts">{[attempt.model, attempt.usage.inputTokens > 0 && tokens(attempt.usage), attempt.cost !== undefined && money(attempt.cost)].filter(Boolean).join(' · ')}</p>}
      {attempt && <AttemptPanel key={attempt.folder} attempt={attempt} />}
    </section>
  );
}
