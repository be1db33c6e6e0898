import { missingSetting, modelError } from '../../model/choice';
import { answer, view } from '../../run/session';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { showTab } from '../Workspace';
import { Questions } from './Questions';

/** The result of the last run, with its questions. */
export function Outcome() {
  const { result, failure, outcome } = view.value;
  if (!result && !failure) return null;
  const tone = outcome?.tone ?? 'bad';
  const advice = modelError.value;
  const title = !result && failure?.code === 'model' && advice ? `The model failed. ${advice}` : outcome?.title ?? `The run failed (${failure?.code}): ${failure?.message}`;
  return (
    <>
      <div class={`outcome tone-${tone}`} data-testid="outcome">
        <p><Icon name={tone === 'good' ? 'check' : 'warning'} /> {title}</p>
        {advice && !title.includes(advice) && <p class="advice">{advice}</p>}
        {advice && <ModelSettingsButton />}
        {result?.success && <button type="button" class="small" onClick={() => showTab('preview')}>Show the preview</button>}
      </div>
      {result?.clarification && <Questions questions={result.clarification} otherwise="below" disabled={missingSetting.value !== null} onAnswer={(question) => void answer(question)} />}
    </>
  );
}
