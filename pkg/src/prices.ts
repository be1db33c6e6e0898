import { object } from './arguments.js';
import type { Usage } from './types/model.js';

type Kind = 'input_cost_per_token' | 'output_cost_per_token' | 'cache_read_input_token_cost' | 'cache_creation_input_token_cost' | 'output_cost_per_reasoning_token';

/**
 * US dollars per token, by the names of the public list `model_prices_and_context_window.json`. A price `…_above_200k_tokens` is for
 * requests with more input tokens.
 */
export type PublicPrice = { [name in Kind | `${Kind}_above_${number}k_tokens`]?: number };

/**
 * `prices` of a host from the public price list of LiteLLM, parsed from its JSON. A model is found by its id, with or without the
 * provider (`anthropic/…`) and the date (`-2025-09-29`). The cost is unknown for a model that is not in the list, and for one
 * whose price is not by tokens.
 */
export function pricesFrom(list: Record<string, PublicPrice | Record<string, unknown>>): (usage: Usage, model?: string) => number | undefined {
  const entries = Object.entries(object(list, 'list')).filter(([, price]) => typeof price?.input_cost_per_token === 'number' && typeof price.output_cost_per_token === 'number') as [string, PublicPrice][];
  const prices = new Map<string, PublicPrice>();
  for (const [id, price] of entries) {
    for (const name of namesOf(id)) if (!prices.has(name)) prices.set(name, price);
  }
  // The list's own entry of a name counts, not the entry of a provider that sells it.
  for (const [id, price] of entries) prices.set(id, price);
  return (usage, model) => {
    const price = model === undefined ? undefined : idsOf(model).map((id) => prices.get(id)).find((price) => price !== undefined);
    return price && cost(price, usage);
  };
}

/** The id, and without each provider's name before it: `a/b/c`, `b/c`, `c`. */
function namesOf(id: string): string[] {
  const words = id.split('/');
  return words.map((_, at) => words.slice(at).join('/'));
}

/** Services answer with a dated id, and gateways with the provider's name. */
function idsOf(model: string): string[] {
  return namesOf(model).flatMap((id) => [id, id.replace(/[-@](\d{4}-?\d{2}-?\d{2}|\d{4})$/, '')]);
}

function cost(price: PublicPrice, { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: Usage): number {
  const of = (kind: Kind) => price[tierOf(price, kind, inputTokens)];
  const [input, output] = [of('input_cost_per_token') ?? 0, of('output_cost_per_token') ?? 0];
  const cached = Math.min(cachedInputTokens, inputTokens);
  const stored = Math.min(cacheWriteTokens, inputTokens - cached);
  const thoughts = Math.min(reasoningTokens, outputTokens);
  return (
    (inputTokens - cached - stored) * input +
    cached * (of('cache_read_input_token_cost') ?? input) +
    stored * (of('cache_creation_input_token_cost') ?? input) +
    (outputTokens - thoughts) * output +
    thoughts * (of('output_cost_per_reasoning_token') ?? output)
  );
}

/** The name of the price for the highest size that the input exceeds. */
function tierOf(price: PublicPrice, kind: Kind, inputTokens: number): keyof PublicPrice {
  const above = (name: string) => Number(new RegExp(`^${kind}_above_(\\d+)k_tokens$`).exec(name)?.[1]) * 1000;
  const tiers = Object.entries(price).filter(([name, value]) => typeof value === 'number' && inputTokens > above(name));
  const [highest] = tiers.sort(([a], [b]) => above(b) - above(a));
  return (highest?.[0] ?? kind) as keyof PublicPrice;
}
