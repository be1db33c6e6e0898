import { choose, isScripted, missingSetting, modelName, nameOfChoice, otherModelOf, shortModelName } from '../../model/choice';
import type { Choice } from '../../model/providers';
import { dialog } from '../../store';
import { Icon } from '../Icon';

const open = () => (dialog.value = 'model');

/** Shows the chosen model, and opens the dialog. */
export function ModelButton() {
  const missing = missingSetting.value;
  return (
    <button type="button" class="model-button" title={missing ?? modelName.value} aria-haspopup="dialog" onClick={open}>
      {missing && <Icon name="warning" />}
      <span class="visually-hidden">Model: </span>
      <span class="model-name">{shortModelName.value}</span>
      {missing && <span class="visually-hidden">, {missing}</span>}
    </button>
  );
}

/** Opens the dialog where a setting is missing or a call failed. */
export const ModelSettingsButton = ({ children = 'Model settings' }: { children?: string }) => <button type="button" class="small" aria-haspopup="dialog" onClick={open}>{children}</button>;

/** Why no run can start, with the way out. */
export function MissingModel() {
  return missingSetting.value && <span class="missing-model">{missingSetting.value}. <ModelSettingsButton /></span>;
}

/** Why a call of the model failed. */
export function ModelProblem({ text }: { text: string }) {
  return (
    <div class="model-problem">
      <p class="problem" role="alert">{text}</p>
      <ModelSettingsButton />
    </div>
  );
}

/** Why the demo script cannot answer a run that another model began, with the way back to that model. */
export function OtherModel({ runId }: { runId: string }) {
  const begun = isScriptForOther(runId) && otherModelOf(runId);
  if (!begun) return <MissingModel />;
  const name = nameOfChoice(begun);
  return <span class="missing-model">The run began with {name}, and the demo script cannot go on with it. <button type="button" class="small" onClick={() => chooseAgain(begun)}>Use {name}</button></span>;
}

export const isScriptForOther = (runId: string): boolean => isScripted.value && otherModelOf(runId) !== null;

/** Whether a run can start with it: it may need its key again. */
function chooseAgain(begun: Choice): boolean {
  choose(begun);
  if (missingSetting.peek()) open();
  return missingSetting.peek() === null;
}

/** Resumes a run with the model that began it. With another model only if the user says so, and never with the script instead of a model. */
export function ResumeButtons({ runId, disabled, onResume }: { runId: string; disabled?: boolean; onResume(): void }) {
  const begun = otherModelOf(runId);
  const missing = missingSetting.value !== null;
  if (!begun) return <><button type="button" class="primary" disabled={disabled || missing} onClick={onResume}>Resume</button><MissingModel /></>;
  const name = nameOfChoice(begun);
  return (
    <>
      <span class="muted">It began with {name}.</span>
      <button type="button" class="primary" disabled={disabled} onClick={() => chooseAgain(begun) && onResume()}>Resume with {name}</button>
      {!isScripted.value && <button type="button" disabled={disabled || missing} onClick={onResume}>Resume with {modelName.value}</button>}
    </>
  );
}
