import type { ConfigValues } from 'loopgate';
import { useSignal } from '@preact/signals';
import { forgetOverrides, originOf, overrides, saveOverrides, setOverride, type Overrides } from '../../specs/settings';
import { config } from '../../store';
import { count } from '../../run/describe';
import { announce } from '../announce';
import { messageOf } from '../../snapshots/snapshots';

type Choice = Exclude<keyof Overrides, 'maxIterations'>;

const CHOICES: ReadonlyArray<{ key: Choice; name: string; tools: keyof ConfigValues['tools'] }> = [
  { key: 'executor', name: 'Executor', tools: 'executors' },
  { key: 'planner', name: 'Planner', tools: 'planners' },
  { key: 'quickReviewer', name: 'Quick review', tools: 'reviewers' },
  { key: 'finalReviewer', name: 'Deep, final review', tools: 'reviewers' },
];

/** The tools and limits of a run, from the configuration. A change is the innermost layer of the next run. */
export function Settings({ locked }: { locked: boolean }) {
  const failure = useSignal<string | null>(null);
  if (!config.value) return null;
  const { defaults, tools } = config.value.values;
  const toolOf = (key: Choice) => CHOICES.flatMap((choice) => (choice.key === key ? tools[choice.tools] : [])).find(({ id }) => id === defaults[key]);
  const named = (key: Choice) => toolOf(key)?.name ?? defaults[key] ?? 'the chosen model';
  const isChanged = Object.keys(overrides.value).length > 0;
  const save = async () => {
    try {
      await saveOverrides();
      failure.value = null;
      announce('The settings are saved in config.yaml');
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  return (
    <details class="spec-part step-settings">
      <summary>Execution settings <span class="muted">built by {named('executor')}, reviewed by {named('finalReviewer')}, at most {count(defaults.maxIterations, 'attempt')} a step{isChanged ? ', changed' : ''}</span></summary>
      <div class="step-settings-fields">
        {CHOICES.map(({ key, name, tools: kind }) => (
          <label key={key} title={originOf(key)}>
            {key === 'finalReviewer' && defaults.deepReviewer ? 'Final review' : name}
            <select value={defaults[key] ?? ''} disabled={locked} onChange={(event) => void setOverride(key, event.currentTarget.value || undefined)}>
              {defaults[key] === undefined && <option value="">the chosen model</option>}
              {tools[kind].map(({ id, name }) => <option key={id} value={id}>{name ?? id}</option>)}
            </select>
            <Origin of={key} />
          </label>
        ))}
        <label title={originOf('maxIterations')}>
          Attempts at most
          <input type="number" min={1} max={20} value={defaults.maxIterations} disabled={locked} onChange={(event) => void setOverride('maxIterations', limited(event.currentTarget.valueAsNumber))} />
          <Origin of="maxIterations" />
        </label>
      </div>
      {config.value.warnings.map(({ message, line }) => <p key={message} class="spec-note tone-warn">config.yaml{line ? `:${line}` : ''}: {message}</p>)}
      {failure.value && <p class="problem" role="alert">{failure.value}</p>}
      {isChanged && (
        <div class="step-actions">
          <button type="button" class="small quiet" disabled={locked} onClick={() => void forgetOverrides()}>Undo</button>
          <button type="button" class="small" disabled={locked} onClick={() => void save()}>Save to config.yaml</button>
        </div>
      )}
    </details>
  );
}

/** `undefined` for an empty field. */
const limited = (value: number): number | undefined => (Number.isFinite(value) ? Math.min(20, Math.max(1, Math.round(value))) : undefined);

/** Also the tooltip of its setting. */
const Origin = ({ of }: { of: keyof Overrides }) => <span class="visually-hidden">from {originOf(of)}</span>;
