import { missingSetting, modelName, shortModelName } from '../../model/choice';
import { Icon } from '../Icon';
import { modelDialog } from './ModelDialog';

/** Shows the chosen model, and opens the dialog. */
export function ModelButton() {
  const missing = missingSetting.value;
  return (
    <button type="button" class="model-button" title={missing ?? modelName.value} aria-haspopup="dialog" onClick={() => (modelDialog.value = true)}>
      {missing && <Icon name="warning" />}
      <span class="visually-hidden">Model: </span>
      <span class="model-name">{shortModelName.value}</span>
      {missing && <span class="visually-hidden">, {missing}</span>}
    </button>
  );
}

/** Why no run can start, with the way out. */
export function MissingModel() {
  return missingSetting.value && <span class="missing-model">{missingSetting.value}. <ModelSettingsButton /></span>;
}

/** Opens the dialog where a setting is missing or a call failed. */
export const ModelSettingsButton = () => <button type="button" class="small" aria-haspopup="dialog" onClick={() => (modelDialog.value = true)}>Model settings</button>;
