/** The server of a model: its calls, the test of the connection, the list of its models, and what its errors mean. */
import type { ModelPort, ModelResponse } from 'loopgate';
import type { Endpoint, Provider } from './providers';

type Create = (endpoint: Endpoint) => ModelPort;

const ADAPTERS: Record<Exclude<Provider['api'], 'script'>, () => Promise<Create>> = {
  chat: async () => (await import('loopgate/openai')).openAiCompatible,
  responses: async () => (await import('loopgate/openai')).openAiResponses,
  messages: async () => (await import('loopgate/anthropic')).anthropic,
};

export function connect({ provider, baseUrl, apiKey, model, contextTokens }: Endpoint): ModelPort {
  if (provider.api === 'script') throw new Error('The script has no server');
  const load = ADAPTERS[provider.api];
  let port: ModelPort | undefined;
  const call: ModelPort = async (request, context) => {
    port ??= (await load())({ provider, baseUrl, apiKey, model });
    return port(request, context);
  };
  return Object.assign(call, { contextTokens });
}

export interface TestResult {
  tone: 'good' | 'warn' | 'bad';
  text: string;
}

/** The tool that the test asks for: a model for agents must call tools. */
const TOOL = 'connection_test';

/** One small call. Rejects only if it is aborted. */
export async function testConnection(endpoint: Endpoint, signal: AbortSignal): Promise<TestResult> {
  try {
    const answer = await connect(endpoint)(
      {
        role: 'builder',
        messages: [{ role: 'user', content: `Call the tool ${TOOL} now.` }],
        tools: [{ type: 'function', function: { name: TOOL, description: 'Tests the connection.', parameters: { type: 'object', properties: {} } } }],
        maxOutputTokens: 1000,
      },
      { signal, onDelta: () => {} },
    );
    return judged(answer, endpoint.model);
  } catch (error) {
    signal.throwIfAborted();
    return { tone: 'bad', text: explainModelError(error, endpoint) };
  }
}

export function judged({ tool_calls: calls = [], finish_reason: reason }: Pick<ModelResponse, 'tool_calls' | 'finish_reason'>, model: string): TestResult {
  if (calls.length > 0) return { tone: 'good', text: `${model} answers and calls tools.` };
  if (reason === 'error') return { tone: 'bad', text: `The answer of ${model} broke off. Test again, or choose another model.` };
  if (reason === 'length') return { tone: 'warn', text: `${model} answers, but was not done after 1,000 tokens. A run shows whether it calls tools.` };
  return { tone: 'warn', text: `${model} answers, but it did not call the tool that it was asked to call. Agents need tool calls: choose another model.` };
}

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

/** What to do without a list. Some servers have none. */
export function whyNoList(error: unknown, endpoint: Endpoint, page?: string): string {
  return statusOf(error) === 404 ? 'The server has no list of models. Enter the name, and test the connection.' : `The models cannot be listed. ${explainModelError(error, endpoint, page)}`;
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

type Server = Pick<Endpoint, 'provider' | 'baseUrl' | 'model'>;

const ADVICE: ReadonlyArray<{ statuses: number[]; advice(status: number, server: Server): string }> = [
  { statuses: [400, 422], advice: (status) => `The server refused the request (${status}). The model may not support tool calls.` },
  { statuses: [401, 403], advice: (status) => `The server refused the key (${status}). Check the key and its permissions.` },
  { statuses: [402], advice: () => 'The account has no credit left (402). Add credit, or use another key.' },
  {
    statuses: [404],
    advice: (_, { provider, model }) => `Address or model not found (404). Check the address, which usually ends with /v1, and the name of the model. ${provider.unknownModel?.(model) ?? ''}`,
  },
  { statuses: [429], advice: () => 'Too many requests (429). Wait a minute, or use another model.' },
];

/** `page`: the address of this page. */
export function explainModelError(error: unknown, server: Server, page: string = location.href): string {
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error) ?? Number(/\b([45]\d\d)\b/.exec(message)?.[1]);
  const known = ADVICE.find(({ statuses }) => statuses.includes(status));
  const advice = known?.advice(status, server) ?? (status >= 500 ? `The server failed (${status}). Try again later.` : null);
  if (advice) return message ? `${advice.trim()} Its answer: ${message}` : advice.trim();
  return isUnreachable(error, message) ? unreachable(server, new URL(page)) : message;
}

function unreachable({ provider, baseUrl }: Server, page: URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const failed = `Cannot reach ${url?.host ?? baseUrl}.`;
  const isLocal = url !== null && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (page.protocol === 'https:' && url?.protocol === 'http:' && !isLocal) return `${failed} From a page with https, browsers call http addresses of this computer only. Use an address with https, or localhost.`;
  const server = provider.unreachable?.(page.origin) ?? 'The server must also allow calls from other sites (CORS); local servers often have an option for that.';
  const permission = isLocal && page.hostname !== url.hostname ? ' If the browser asks for access to this computer, allow it.' : '';
  return `${failed} Check the network and the address. ${server}${permission}`;
}

function statusOf(error: unknown): number | undefined {
  for (let at: unknown = error; at instanceof Object; at = (at as { cause?: unknown }).cause) {
    const status = (at as { status?: unknown }).status;
    if (typeof status === 'number') return status;
  }
  return undefined;
}

/** For network errors, browsers throw a TypeError; its text differs. */
function isUnreachable(error: unknown, message: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof TypeError) return true;
  return /failed to fetch|networkerror|load failed/i.test(message);
}
