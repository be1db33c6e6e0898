import { planReport, problems } from '../../plan/plan';
import { plainMessage, type Problem } from '../../plan/outline';
import { isRunning } from '../../run/session';
import { count } from '../../run/describe';
import { Icon } from '../Icon';
import { editor, goTo } from './PlanTree';

const MOST_SHOWN = 100;

/** The problems of the text in the editor. */
export function Problems() {
  const all = problems.value;
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const summary = !planReport.value ? 'The plan is empty' : all.length ? [errors && count(errors, 'error'), all.length - errors && count(all.length - errors, 'warning')].filter(Boolean).join(', ') : 'No problems: the plan is valid';
  return (
    <section class="problems" aria-label="Problems of the plan">
      <p class={`problems-summary tone-${errors ? 'bad' : all.length ? 'warn' : 'good'}`} role="status" data-testid="plan-problems">
        {planReport.value && <Icon name={errors ? 'cross' : all.length ? 'warning' : 'check'} />} {summary}
      </p>
      {all.length > 0 && (
        <ul>
          {all.slice(0, MOST_SHOWN).map((problem) => <ProblemRow key={`${problem.id}:${problem.line}:${problem.column}:${problem.message}`} problem={problem} />)}
        </ul>
      )}
      {all.length > MOST_SHOWN && <p class="muted">and {all.length - MOST_SHOWN} more</p>}
    </section>
  );
}

function ProblemRow({ problem }: { problem: Problem }) {
  const { severity, id, line, column, suggestions = [] } = problem;
  return (
    <li class={`plan-problem tone-${severity === 'error' ? 'bad' : 'warn'}`} data-problem={id}>
      <button type="button" class="quiet problem-place" onClick={() => goTo(problem)}>
        <Icon name={severity === 'error' ? 'cross' : 'warning'} />
        <span class="visually-hidden">{severity} in </span>
        <span class="muted">{line}:{column}</span>
        <span class="problem-message">{plainMessage(problem)} <code class="muted">{id}</code></span>
      </button>
      {suggestions.map((suggestion) => (
        <button key={suggestion} type="button" class="chip" disabled={isRunning.value} onClick={() => editor.peek()?.apply(problem, suggestion)}>Change to {suggestion}</button>
      ))}
    </li>
  );
}
