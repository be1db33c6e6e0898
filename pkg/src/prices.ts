import { object } from './arguments.js';
import type { Usage } from './types/model.js';

/** US dollars per token, by the names of the public list `model_prices_and_context_window.json`. */
export interface PublicPrice {
  input_cost_per_token?: number;
  output_cost_per_token?: number;
  cache_read_input_token_cost?: number;
  cache_creation_input_token_cost?: number;
  output_cost_per_reasoning_token?: number;
  input_cost_per_token_above_200k_tokens?: number;
  output_cost_per_token_above_200k_tokens?: number;
  cache_read_input_token_cost_above_200k_tokens?: number;
  cache_creation_input_token_cost_above_200k_tokens?: number;
}

/**
 * `prices` of a host from the public price list of LiteLLM, parsed from its JSON. A model is found by its id, with or without the
 * provider (`anthropic/…`) and the date (`-2025-09-29`). The cost of a model that is not in the list is unknown.
 */
export function pricesFrom(list: Record<string, PublicPrice | Record<string, unknown>>): (usage: Usage, model?: string) => number | undefined {
  const prices = new Map<string, PublicPrice>();
  for (const [id, price] of Object.entries(object(list, 'list'))) {
    if (typeof price?.input_cost_per_token !== 'number' || typeof price.output_cost_per_token !== 'number') continue;
    const [, name] = /^.*\/(.+)$/.exec(id) ?? [];
    // The list's own entry of a name counts, not that of a provider which sells it.
    if (name !== undefined && !prices.has(name)) prices.set(name, price as PublicPrice);
    if (name === undefined || !prices.has(id)) prices.set(id, price as PublicPrice);
  }
  return (usage, model) => {
    const price = model === undefined ? undefined : idsOf(model).map((id) => prices.get(id)).find((price) => price !== undefined);
    return price && cost(price, usage);
  };
}

/** Services answer with a dated id, and gateways with the provider's name. */
function idsOf(model: string): string[] {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return [model, name].flatMap((id) => [id, id.replace(/[-@](\d{4}-?\d{2}-?\d{2}|\d{4})$/, '')]);
}

function cost(price: PublicPrice, { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: Usage): number {
  type Name = 'input_cost_per_token' | 'output_cost_per_token' | 'cache_read_input_token_cost' | 'cache_creation_input_token_cost';
  const of = (name: Name) => (inputTokens > 200_000 ? price[`${name}_above_200k_tokens`] : undefined) ?? price[name];
  const [input, output] = [of('input_cost_per_token') ?? 0, of('output_cost_per_token') ?? 0];
  const cached = Math.min(cachedInputTokens, inputTokens);
  const stored = Math.min(cacheWriteTokens, inputTokens - cached);
  const thoughts = Math.min(reasoningTokens, outputTokens);
  return (
    (inputTokens - cached - stored) * input +
    cached * (of('cache_read_input_token_cost') ?? input) +
    stored * (of('cache_creation_input_token_cost') ?? input) +
    (outputTokens - thoughts) * output +
    thoughts * (price.output_cost_per_reasoning_token ?? output)
  );
}
