/** The list of models that a server has. */
import type { Endpoint } from './providers';

/** Prices are US dollars per million tokens. */
export interface ListedModel {
  id: string;
  contextTokens?: number;
  inputPerMillion?: number;
  outputPerMillion?: number;
}

/** Where servers write the size of a model's context. */
const SIZES = ['context_length', 'context_window', 'max_context_length', 'max_model_len', 'max_input_tokens'];

/** Models that do not answer messages with tool calls. */
const OTHER_KINDS = /embed|whisper|tts|dall-e|image|audio|moderation|realtime|transcribe|sora|rerank/i;

export async function listModels(endpoint: Endpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const { url, headers } = listRequest(endpoint);
  const response = await fetch(url, { headers, signal });
  if (!response.ok) throw Object.assign(new Error((await response.text()).slice(0, 300)), { status: response.status });
  return listedModels(await response.json());
}

/** Users paste the address with and without the path of a call. */
export function listRequest({ provider, baseUrl, apiKey }: Endpoint): { url: string; headers: Record<string, string> } {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses|messages)$/, '');
  if (provider.api !== 'messages') {
    url.pathname = `${base}/models`;
    return { url: url.href, headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {} };
  }
  url.pathname = `${base.replace(/\/v1$/, '')}/v1/models`;
  url.searchParams.set('limit', '1000');
  return { url: url.href, headers: { 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true', ...(apiKey && { 'x-api-key': apiKey }) } };
}

/** In the order of the server; empty if the answer is not a list. */
export function listedModels(answer: unknown): ListedModel[] {
  const { data, models } = Object(answer) as { data?: unknown; models?: unknown };
  const rows = [answer, data, models].find(Array.isArray) ?? [];
  const found = rows.map(listedModel).filter((model) => model !== null && !OTHER_KINDS.test(model.id)) as ListedModel[];
  return [...new Map(found.map((model) => [model.id, model])).values()];
}

function listedModel(row: unknown): ListedModel | null {
  const fields = Object(row) as Record<string, unknown>;
  const id = fields.id ?? fields.name;
  if (typeof id !== 'string' || !id) return null;
  const contextTokens = SIZES.map((name) => fields[name]).find((size) => typeof size === 'number' && size > 0) as number | undefined;
  const { prompt, completion } = Object(fields.pricing) as Record<string, unknown>;
  const [inputPerMillion, outputPerMillion] = [perMillion(prompt), perMillion(completion)];
  return { id, ...(contextTokens && { contextTokens }), ...(inputPerMillion !== undefined && outputPerMillion !== undefined && { inputPerMillion, outputPerMillion }) };
}

/** From dollars per token, which OpenRouter sends as text. A negative price means that it varies. */
function perMillion(price: unknown): number | undefined {
  const dollars = typeof price === 'string' && price !== '' ? Number(price) : price;
  return typeof dollars === 'number' && dollars >= 0 ? Number((dollars * 1e6).toPrecision(6)) : undefined;
}
