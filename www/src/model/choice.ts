/** The chosen model. The choice is stored; the keys only for this tab, and only if the user wants that. */
import { computed, signal } from '@preact/signals';
import type { Config, ModelPort, RunSettings } from 'loopgate';
import { connect } from './connect';
import { explainModelError } from './explain';
import { choiceFrom, endpointOf, missingOf, nameOf, textsFrom, type Choice, type Keys } from './providers';
import { storyModel } from './story/model';
import { story } from './story/chosen';

const KEPT = 'loopgate-demo-model';
const KEPT_KEYS = 'loopgate-demo-model-keys';
/** The name of the model that began the last run, by the run's id. */
const KEPT_BEGUN = 'loopgate-demo-model-of-run';

export const choice = signal<Choice>(choiceFrom(localStorage.getItem(KEPT)));
export const keys = signal<Keys>(textsFrom(sessionStorage.getItem(KEPT_KEYS)));
export const keepsKeys = (): boolean => sessionStorage.getItem(KEPT_KEYS) !== null;

const endpoint = computed(() => endpointOf(choice.value, keys.value));
export const isScripted = computed(() => endpoint.value.provider.api === 'script');
export const modelName = computed(() => nameOf(endpoint.value));
/** For the top bar. */
export const shortModelName = computed(() => endpoint.value.model || endpoint.value.provider.name);
/** The missing setting, or null if a run can start. */
export const missingSetting = computed(() => missingOf(endpoint.value)?.text ?? null);
/** Why the last call of the model failed, and what to do. */
export const modelError = signal<string | null>(null);

export function choose(chosen: Choice, given: Keys, keep: boolean): void {
  [choice.value, keys.value, modelError.value] = [chosen, given, null];
  localStorage.setItem(KEPT, JSON.stringify(chosen));
  if (keep) sessionStorage.setItem(KEPT_KEYS, JSON.stringify(given));
  else sessionStorage.removeItem(KEPT_KEYS);
}

/** The options of a run that depend on the model. Tools of the configuration without a model of their own use the chosen one. */
export function modelOptions(config: Config | null): Pick<RunSettings, 'model' | 'models' | 'prices' | 'secrets' | 'limits'> {
  modelError.value = null;
  const { executors = [], planners = [], reviewers = [] } = config?.values.tools ?? {};
  const { model, apiKey, inputPerMillion, outputPerMillion, maxCostUsd } = endpoint.peek();
  return {
    model: chosenModel(),
    models: Object.fromEntries([...executors, ...planners, ...reviewers].map((tool) => [tool.id, chosenModel(tool)])),
    prices: inputPerMillion !== undefined && outputPerMillion !== undefined ? { [model]: { inputPerMillion, outputPerMillion } } : {},
    // The package does not treat a shorter one as a secret.
    secrets: apiKey.length >= 8 ? [apiKey] : [],
    limits: maxCostUsd === undefined || isScripted.peek() ? {} : { maxCostUsd },
  };
}

/** The chosen model for a call outside of a run. `onError` gets why a call failed, and what to do. */
export function chosenModel(tool?: { id: string; model?: string }, onError: (text: string | null) => void = (text) => (modelError.value = text)): ModelPort {
  if (isScripted.peek()) return storyModel(story.value.decide, { tool: tool?.id });
  const chosen = { ...endpoint.peek(), ...(tool?.model && { model: tool.model }) };
  const model = connect(chosen);
  const explained: ModelPort = async (request, context) => {
    try {
      const response = await model(request, context);
      onError(null);
      return response;
    } catch (error) {
      if (!context.signal.aborted) onError(explainModelError(error, chosen));
      throw error;
    }
  };
  return Object.assign(explained, { contextTokens: model.contextTokens });
}

export const rememberModelOf = (runId: string): void => localStorage.setItem(KEPT_BEGUN, JSON.stringify({ [runId]: modelName.peek() }));

/** The model that began the run, if it is not the chosen one. */
export function otherModelOf(runId: string): string | null {
  const { [runId]: begun = null } = textsFrom(localStorage.getItem(KEPT_BEGUN));
  return begun === modelName.value ? null : begun;
}
