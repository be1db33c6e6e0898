/** The chosen model. The choice is stored; the keys only for this tab, and only if the user wants that. */
import { computed, signal } from '@preact/signals';
import type { Config, ModelPort, RunSettings, Work } from 'loopgate';
import { choiceFrom, endpointOf, missingOf, nameOf, objectFrom, SCRIPT, textsFrom, type Choice, type Keys } from './providers';
import { connect, explainModelError } from './server';
import { storyModel } from './story/player';
import { messages, story } from './story/stories';
import { persist } from '../store';

const KEPT = 'loopgate-demo-model';
const KEPT_KEYS = 'loopgate-demo-model-keys';
/** The models that began the last runs, by the ids of the runs. */
const KEPT_BEGUN = 'loopgate-demo-models-of-runs';
const MOST_BEGUN = 20;

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

export function choose(chosen: Choice, given = keys.peek(), keepsThem = keepsKeys()): void {
  [choice.value, keys.value, modelError.value] = [chosen, given, null];
  persist(localStorage, KEPT, JSON.stringify(chosen));
  persist(sessionStorage, KEPT_KEYS, keepsThem ? JSON.stringify(given) : null);
}

/** The settings of the other providers stay. */
export const chooseScript = (): void => choose({ ...choice.peek(), provider: SCRIPT.id });

/** The options of a run that depend on the model. Tools of the configuration without a model of their own use the chosen one. `wrap` gets each model. */
export function modelOptions(config: Config | null, wrap = (model: ModelPort) => model): Pick<RunSettings, 'model' | 'models' | 'prices' | 'secrets' | 'limits'> {
  modelError.value = null;
  const { executors = [], planners = [], reviewers = [] } = config?.values.tools ?? {};
  const { model, apiKey, inputPerMillion, outputPerMillion, maxCostUsd } = endpoint.peek();
  return {
    model: wrap(chosenModel()),
    models: Object.fromEntries([...executors, ...planners, ...reviewers].map((tool) => [tool.id, wrap(chosenModel(tool))])),
    prices: inputPerMillion !== undefined && outputPerMillion !== undefined ? { [model]: { inputPerMillion, outputPerMillion } } : {},
    // The package refuses shorter secrets.
    secrets: apiKey.length >= 8 ? [apiKey] : [],
    limits: maxCostUsd === undefined || isScripted.peek() ? {} : { maxCostUsd },
  };
}

/** The chosen model for a call outside of a run. `onError` gets why a call failed, and what to do. */
export function chosenModel(tool?: { id: string; model?: string }, onError: (text: string | null) => void = (text) => (modelError.value = text)): ModelPort {
  if (isScripted.peek()) return storyModel(story.peek().parts, { tool: tool?.id });
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

/** Why the demo script does not start this work; null if it does, and for other models. `edited`: the user edited the task. */
export function refusalOf(work: Work, edited = false): string | null {
  if (!isScripted.value) return null;
  const own = story.value.parts.some((part) =>
    part.work.kind === 'spec' ? work.kind === 'spec' && work.path === part.work.path
    : part.work.kind === 'chunks' ? work.kind === 'chunks' && work.spec === part.work.spec
    : work.kind === 'task' && !edited && work.message.trim() === part.work.message && messages.value.includes(part.work.message));
  return own ? null : `The demo script can only play this story, “${story.value.title}”.`;
}

/** Why this work cannot start; null if it can. */
export const blockOf = (work: Work): string | null => missingSetting.value ?? refusalOf(work);

const begunRuns = () => Object.entries(objectFrom(localStorage.getItem(KEPT_BEGUN))) as Array<[runId: string, begun: { provider: string; model: string }]>;

export function rememberModelOf(runId: string): void {
  const { provider, model } = endpoint.peek();
  persist(localStorage, KEPT_BEGUN, JSON.stringify(Object.fromEntries([...begunRuns().slice(1 - MOST_BEGUN), [runId, { provider: provider.id, model }]])));
}

/** The choice of the model that began a run, if another one is chosen. */
export function otherModelOf(runId: string): Choice | null {
  const begun = begunRuns().find(([id]) => id === runId)?.[1];
  const { provider, model } = endpoint.value;
  if (!begun || (begun.provider === provider.id && (isScripted.value || begun.model === model))) return null;
  const { settings } = choice.value;
  const { provider: { baseUrl } } = endpointOf({ provider: begun.provider, settings: {} }, {});
  return { provider: begun.provider, settings: { ...settings, [begun.provider]: { baseUrl, ...settings[begun.provider], model: begun.model } } };
}

export const nameOfChoice = (chosen: Choice): string => nameOf(endpointOf(chosen, {}));

/** The script does not understand what another model began. */
export function checkModelOf(runId: string): void {
  const begun = otherModelOf(runId);
  if (begun && isScripted.peek()) throw new Error(`This run began with ${nameOfChoice(begun)}. The demo script cannot go on with it.`);
}
