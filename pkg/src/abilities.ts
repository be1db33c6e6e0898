import { kindOf, wrong } from './arguments.js';
import type { ModelPort } from './types/model.js';

/** What the core reads of a model. */
export type Abilities = Pick<ModelPort, 'contextTokens' | 'images'>;

/** The port with its abilities. */
export function withAbilities(port: ModelPort, { contextTokens, images }: Abilities): ModelPort {
  const window: unknown = contextTokens ?? undefined;
  if (window !== undefined && !(typeof window === 'number' && window >= 1 && window < Infinity)) {
    throw wrong(`\`contextTokens\` is ${typeof window === 'number' ? window : kindOf(window)}: pass the number of tokens of the model's context window, or leave it out`);
  }
  if (typeof images !== 'boolean') throw wrong(`\`images\` must be true or false, not ${kindOf(images)}`);
  return Object.assign(port, { images }, contextTokens && { contextTokens });
}
