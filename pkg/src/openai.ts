import { object, text, wrong } from './arguments.js';
import { ChatAnswer } from './chat-answer.js';
import { fieldNames, withFields } from './provider-data.js';
import { ServerError } from './server-error.js';
import { readEvents } from './sse.js';
import type { ModelPort, ModelRequest } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

export interface OpenAiOptions {
  /** `https://api.openai.com/v1`, `http://localhost:11434/v1`; the whole address with `/chat/completions` will do as well. */
  baseUrl: string;
  apiKey?: string;
  model: string;
  headers?: Record<string, string>;
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch;
  /** Default: true. A server that answers without streaming is understood all the same. */
  stream?: boolean;
}

/**
 * A `ModelPort` over any server with OpenAI's chat completions and tool calling.
 *
 * A refused call rejects with an `Error` that has `status` and, where the server said so, `retryAfter` in seconds. A
 * stream that breaks off resolves with the finish reason `error`: what arrived is never taken for a whole answer.
 *
 * What a service adds to an answer and its tool calls (`extra_content`, `reasoning_details`, `reasoning_content`, …) is their
 * `providerData`, and goes back to the service in the same places.
 */
export function openAiCompatible(options: OpenAiOptions): ModelPort {
  const baseUrl = text(object(options, 'options').baseUrl, 'baseUrl').trim();
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  let streams = options.stream ?? true;
  /** The service's own fields that it does not take back. */
  const refused = new Set<string>();

  /** What the server does not take is not sent again. `false` where it names nothing that can be left out. */
  const adapts = (error: ServerError, request: ModelRequest): boolean => {
    if (error.status !== 400 && error.status !== 422) return false;
    if (streams && /stream/i.test(error.message)) {
      streams = false;
      return true;
    }
    const named = [...fieldNames(request.messages)].filter((name) => !refused.has(name) && error.message.includes(name));
    if (named.length === 0 || !UNKNOWN_FIELD.test(error.message)) return false;
    for (const name of named) refused.add(name);
    return true;
  };

  return async (request, { signal, onDelta }) => {
    // Not before: settings that are not filled in yet keep no IDE from anything but asking.
    const url = addressOf(baseUrl);
    const post = () =>
      send(url.href, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
          ...options.headers,
        },
        body: JSON.stringify(body(options.model, url, request, streams, refused)),
        signal,
      });

    let response = await post();
    while (!response.ok) {
      const error = await refusal(response);
      if (!adapts(error, request)) throw error;
      response = await post();
    }

    const answer = new ChatAnswer(onDelta);
    if (response.headers.get('content-type')?.includes('text/event-stream') && response.body) {
      try {
        for await (const data of readEvents(response.body)) {
          if (data === '[DONE]') break;
          answer.addChunk(JSON.parse(data));
        }
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof ServerError) throw thrown;
        answer.breakOff();
      }
    } else {
      answer.addWhole(await jsonOf(response));
    }
    return answer.finish();
  };
}

/** How servers say that they do not know a field of the request. */
const UNKNOWN_FIELD = /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|forbidden|not permitted|not allowed|additional propert/i;

/** Where completions are asked for: users paste the address of the service as well as the one that their console shows. */
function addressOf(baseUrl: string): URL {
  const url = baseUrl === '' ? null : parsed(baseUrl);
  if (!url) throw wrong(`\`baseUrl\` is ${JSON.stringify(baseUrl)}: it must be an address such as http://localhost:11434/v1`);
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/(\/chat\/completions)?$/, '/chat/completions');
  return url;
}

function parsed(address: string): URL | null {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return null;
  }
}

function body(model: string, url: URL, request: ModelRequest, stream: boolean, refused: ReadonlySet<string>): object {
  // OpenAI's own newer models refuse `max_tokens`; many other servers know nothing else.
  const limit = url.hostname.endsWith('openai.com') ? 'max_completion_tokens' : 'max_tokens';
  const { responseFormat, maxOutputTokens } = request;
  return {
    model,
    messages: request.messages.map((message) => withFields(message, refused)),
    ...(request.tools.length > 0 && { tools: request.tools }),
    ...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
    ...(responseFormat && { response_format: { type: 'json_schema', json_schema: { name: responseFormat.name, schema: responseFormat.schema } } }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = text.trim().slice(0, 200);
    throw new Error(`the model's server answered ${response.status} without JSON; is its address right? It begins with: ${start || '(nothing)'}`, { cause });
  }
}

async function refusal(response: Response): Promise<ServerError> {
  const text = await response.text().catch(() => '');
  let words = text;
  try {
    const { error, message } = JSON.parse(text);
    words = [error?.message, error, message].find((told) => typeof told === 'string') ?? text;
  } catch {
    // Not JSON: the text says it.
  }
  const message = `the model's server answered ${response.status}: ${words.slice(0, 1000) || response.statusText}`;
  return new ServerError(message, response.status, retryAfter(response.headers));
}

/** HTTP allows seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && Number.isFinite(Number(ms))) return Number(ms) / 1000;
  const told = headers.get('retry-after');
  if (told === null) return undefined;
  const seconds = Number.isFinite(Number(told)) ? Number(told) : (Date.parse(told) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
