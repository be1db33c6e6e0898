/** Calls a provider's model. Its adapter is loaded at the first call. */
import type { ModelPort, ModelResponse } from 'loopgate';
import { explainModelError } from './explain';
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
