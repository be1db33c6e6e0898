/** The chosen model. The settings exist only in memory: a reload forgets the key. */
import { computed, signal } from '@preact/signals';
import type { Config, ModelPort } from 'loopgate';
import { openAiCompatible } from 'loopgate/openai';
import { explainModelError } from './explain';
import { storyModel } from './story/model';
import { story } from './story/chosen';

export type ModelKind = 'scripted' | 'openai';

export const modelKind = signal<ModelKind>('scripted');
export const endpoint = signal({ baseUrl: 'https://api.openai.com/v1', apiKey: '', model: '' });
/** Why the last call of the model failed, and what to do. */
export const modelError = signal<string | null>(null);

/** The missing setting, or null if a run can start. */
export const missingSetting = computed(() => {
  if (modelKind.value === 'scripted') return null;
  if (!URL.canParse(endpoint.value.baseUrl)) return 'Enter the address of the model, such as https://api.openai.com/v1';
  return endpoint.value.model.trim() ? null : 'Enter the name of the model';
});

export function chosenModel(tool?: { id: string; model?: string }): ModelPort {
  modelError.value = null;
  if (modelKind.value === 'scripted') return storyModel(story.value.decide, { tool: tool?.id });
  const { baseUrl, apiKey, model: chosen } = endpoint.value;
  const model = tool?.model ?? chosen;
  return explained(openAiCompatible({ baseUrl: baseUrl.trim(), apiKey: apiKey.trim(), model: model.trim() }), baseUrl);
}

/** The models of the tools in a configuration, by id. Tools without a model of their own use the chosen one. */
export function modelsOf(config: Config | null): Record<string, ModelPort> {
  const { executors = [], planners = [], reviewers = [] } = config?.values.tools ?? {};
  return Object.fromEntries([...executors, ...planners, ...reviewers].map((tool) => [tool.id, chosenModel(tool)]));
}

/** The same model; its failures are also shown in the page. */
function explained(model: ModelPort, baseUrl: string): ModelPort {
  return async (request, context) => {
    try {
      const response = await model(request, context);
      modelError.value = null;
      return response;
    } catch (error) {
      if (!context.signal.aborted) modelError.value = explainModelError(error, baseUrl);
      throw error;
    }
  };
}
