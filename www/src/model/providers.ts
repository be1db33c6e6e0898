/** The providers of models as a table, and what a run requires of their settings. Pure. */

export interface Provider {
  id: string;
  name: string;
  about: string;
  /** The API that its adapter speaks. `script`: no server. */
  api: 'script' | 'responses' | 'messages' | 'chat';
  /** The address that the field starts with; empty if every server has another one. */
  baseUrl: string;
  /** The service refuses calls without a key. A server of the user, at another address, may add the key. */
  needsKey: boolean;
  /** Each answer has its cost, so that a limit in dollars works without prices. */
  reportsCost?: boolean;
  /** The name of a model, as an example. */
  example: string;
  /** What to do if the server cannot be reached from the page at `origin`. */
  unreachable?(origin: string): string;
  /** What to do if the server does not have the model. */
  unknownModel?(model: string): string;
}

export const SCRIPT: Provider = {
  id: 'scripted',
  name: 'Demo script',
  about: 'No AI. It plays the chosen story, with typical mistakes of agents, and does not understand other tasks.',
  api: 'script',
  baseUrl: '',
  needsKey: false,
  example: '',
};

export const PROVIDERS: readonly Provider[] = [
  SCRIPT,
  { id: 'openai', name: 'OpenAI', about: 'The Responses API. You pay OpenAI for each call.', api: 'responses', baseUrl: 'https://api.openai.com/v1', needsKey: true, example: 'gpt-5' },
  { id: 'anthropic', name: 'Anthropic', about: 'The Messages API. You pay Anthropic for each call.', api: 'messages', baseUrl: 'https://api.anthropic.com/v1', needsKey: true, example: 'claude-sonnet-4-5' },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    about: 'Models of many companies with one key. The list has their sizes and prices.',
    api: 'chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    reportsCost: true,
    example: 'qwen/qwen3-coder',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    about: 'Models on this computer, without a key. Give the model a large context: Ollama cuts long conversations.',
    api: 'chat',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    example: 'qwen3-coder',
    unreachable: (origin) => `Start Ollama with the environment variable OLLAMA_ORIGINS=${origin}, so that it allows calls from this page.`,
    unknownModel: (model) => `Load the model: ollama pull ${model}`,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    about: 'Models on this computer, without a key.',
    api: 'chat',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    example: 'qwen/qwen3-coder-30b',
    unreachable: () => 'In LM Studio, open Developer, start the server, and enable CORS in its settings.',
    unknownModel: (model) => `Load ${model} in LM Studio.`,
  },
  {
    id: 'other',
    name: 'Other server',
    about: 'Any server with OpenAI’s chat completions API and tool calls, such as vLLM, llama.cpp or a gateway.',
    api: 'chat',
    baseUrl: '',
    needsKey: false,
    example: 'The model’s name on the server',
  },
];

/** What the user enters for a provider. Prices are US dollars per million tokens. */
export interface Settings {
  baseUrl: string;
  model: string;
  contextTokens?: number;
  inputPerMillion?: number;
  outputPerMillion?: number;
  /** A run stops at this cost, in US dollars. */
  maxCostUsd?: number;
}

export const AMOUNTS = ['contextTokens', 'inputPerMillion', 'outputPerMillion', 'maxCostUsd'] as const;
export type Amount = (typeof AMOUNTS)[number];

/** The provider and the settings of each one, by id. It has no key. */
export interface Choice {
  provider: string;
  settings: Readonly<Record<string, Settings>>;
}

/** By the id of the provider: no server gets the key of another one. */
export type Keys = Readonly<Record<string, string>>;

/** A provider with its settings and key: what a call requires. */
export interface Endpoint extends Settings {
  provider: Provider;
  apiKey: string;
}

export function endpointOf({ provider: id, settings }: Choice, keys: Keys): Endpoint {
  const provider = PROVIDERS.find((provider) => provider.id === id) ?? SCRIPT;
  const { baseUrl, model, ...amounts } = settings[provider.id] ?? { baseUrl: provider.baseUrl, model: '' };
  return { provider, baseUrl: baseUrl.trim(), model: model.trim(), apiKey: (keys[provider.id] ?? '').trim(), ...amounts };
}

export type Field = 'baseUrl' | 'apiKey' | 'model' | 'inputPerMillion';

/** The first setting that keeps a run from starting, with its field. */
export function missingOf({ provider, baseUrl, apiKey, model, inputPerMillion, outputPerMillion, maxCostUsd }: Endpoint): { field: Field; text: string } | null {
  if (provider.api === 'script') return null;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return { field: 'baseUrl', text: `Enter the address of the server, such as ${provider.baseUrl || 'http://localhost:8000/v1'}` };
  if (url.username || url.password) return { field: 'baseUrl', text: 'Remove the user and the password from the address, and use the key' };
  if (provider.needsKey && !apiKey && baseUrl === provider.baseUrl) return { field: 'apiKey', text: `Enter the key of ${provider.name}` };
  if (!model) return { field: 'model', text: 'Enter the name of the model' };
  if ((inputPerMillion === undefined) !== (outputPerMillion === undefined)) return { field: 'inputPerMillion', text: 'Enter both prices, or none' };
  if (maxCostUsd !== undefined && inputPerMillion === undefined && !provider.reportsCost) return { field: 'inputPerMillion', text: 'Enter both prices, which the limit in dollars requires' };
  return null;
}

export function nameOf({ provider, model }: Endpoint): string {
  return model && provider.api !== 'script' ? `${model} (${provider.name})` : provider.name;
}

/** The stored choice. What is damaged or from another version is left out. */
export function choiceFrom(stored: string | null): Choice {
  const { provider, settings } = objectFrom(stored);
  const found = PROVIDERS.find(({ id }) => id === provider) ?? SCRIPT;
  return { provider: found.id, settings: Object.fromEntries(Object.entries(Object(settings)).flatMap(([id, given]) => (PROVIDERS.some((provider) => provider.id === id) ? [[id, settingsFrom(given)]] : []))) };
}

/** Stored texts by their ids, such as keys. */
export const textsFrom = (stored: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectFrom(stored)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** An amount that the user entered. `undefined` for an empty field and for other texts; only prices can be 0. */
export function amountFrom(name: Amount, value: unknown): number | undefined {
  const isPrice = name === 'inputPerMillion' || name === 'outputPerMillion';
  return typeof value === 'number' && Number.isFinite(value) && (value > 0 || (isPrice && value === 0)) ? value : undefined;
}

function settingsFrom(given: unknown): Settings {
  const fields = Object(given) as Record<string, unknown>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const amounts = AMOUNTS.map((name) => [name, amountFrom(name, fields[name])] as const).filter(([, amount]) => amount !== undefined);
  return { baseUrl: text('baseUrl'), model: text('model'), ...Object.fromEntries(amounts) };
}

/** A stored object. Empty if it is damaged. */
export function objectFrom(stored: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(stored ?? '{}')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
