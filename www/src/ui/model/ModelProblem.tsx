import { ModelSettingsButton } from './ModelButton';

/** Why a call of the model failed. */
export function ModelProblem({ text }: { text: string }) {
  return (
    <div class="model-problem">
      <p class="problem" role="alert">{text}</p>
      <ModelSettingsButton />
    </div>
  );
}
