import type { ModelPort } from './types/model.js';

/** What the core reads of a model. */
export type Abilities = Pick<ModelPort, 'contextTokens' | 'images'>;

/** The port with its abilities. */
export function withAbilities(port: ModelPort, { contextTokens, images }: Abilities): ModelPort {
  return Object.assign(port, { images }, contextTokens !== undefined && { contextTokens });
}
