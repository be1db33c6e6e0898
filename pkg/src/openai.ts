import { fields, text, wrong } from './arguments.js';
import { bytesOf, startOf, textOf } from './body.js';
import { ChatAnswer } from './chat-answer.js';
import { bare, properties, property } from './own.js';
import { fieldNames, withFields } from './provider-data.js';
import { Secrets } from './secrets.js';
import { ServerError } from './server-error.js';
import { readEvents } from './sse.js';
import type { ModelPort, ModelRequest } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

export interface OpenAiOptions {
  /** Such as `https://api.openai.com/v1` or `http://localhost:11434/v1`, with or without `/chat/completions`. */
  baseUrl: string;
  apiKey?: string;
  model: string;
  headers?: Record<string, string>;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Default: true. Servers may answer without streaming. */
  stream?: boolean;
}

/**
 * A `ModelPort` for any server with OpenAI's chat completions API and tool calls.
 *
 * No error has the key, the values of the headers, or the credentials in the address, and a run takes them out of its events.
 *
 * If the server refuses a call, it rejects with an `Error` that has `status` and, if the server sent it, `retryAfter` in seconds.
 * If a stream breaks off, the finish reason is `error`, which marks the answer as incomplete.
 *
 * Fields that the service adds to an answer or its tool calls (`extra_content`, `reasoning_details`, `reasoning_content`, …) become
 * `providerData` and are sent back in the same places.
 */
export function openAiCompatible(options: OpenAiOptions): ModelPort {
  const { baseUrl: given, apiKey, model, headers, fetch, stream } = fields(options, 'options', 'baseUrl', 'apiKey', 'model', 'headers', 'fetch', 'stream');
  const baseUrl = text(given, 'baseUrl').trim();
  const send = fetch ?? globalThis.fetch.bind(globalThis);
  let streams = stream ?? true;
  const secrets = new Secrets();
  secrets.key(apiKey);
  secrets.headers(headers);
  secrets.address(baseUrl);
  /** Added fields that the service refuses to take back. */
  const refused = new Set<string>();

  /** Leaves out what the server refused. `false` if the error names nothing that can be left out. */
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

  const complete: ModelPort = async (request, context) => {
    const { signal, onDelta } = properties(context, 'signal', 'onDelta');
    // Checked per call, so that an IDE can create the port before the user has filled in the settings.
    const url = addressOf(baseUrl);
    const post = () =>
      send(url.href, bare({
        method: 'POST',
        headers: bare({
          'content-type': 'application/json',
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          ...headers,
        }),
        body: JSON.stringify(body(model, url, request, streams, refused)),
        signal,
      }));

    let response = await post();
    while (!response.ok) {
      const error = await refusal(response, secrets);
      if (!adapts(error, request)) throw error;
      response = await post();
    }

    const answer = new ChatAnswer(onDelta);
    // Comments, usage and unknown fields have no delta of their own.
    const onBytes = () => onDelta({ type: 'activity' });
    if (response.headers.get('content-type')?.includes('text/event-stream') && response.body) {
      try {
        for await (const data of readEvents(bytesOf(response.body, onBytes))) {
          if (data === '[DONE]') break;
          answer.addChunk(JSON.parse(data));
        }
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof ServerError) throw thrown;
        answer.breakOff();
      }
    } else {
      answer.addWhole(await jsonOf(response, secrets, onBytes));
    }
    return answer.finish();
  };
  return secrets.attachTo<ModelPort>(async (request, context) => {
    try {
      return await complete(request, context);
    } catch (thrown) {
      throw secrets.redactError(thrown);
    }
  });
}

/** Wordings of servers for an unknown request field. */
const UNKNOWN_FIELD = /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|forbidden|not permitted|not allowed|additional propert/i;

/** The address of the completions endpoint. Users paste it with and without the last part. */
function addressOf(baseUrl: string): URL {
  const url = baseUrl === '' ? null : parsed(baseUrl);
  if (!url) throw wrong(`\`baseUrl\` is ${JSON.stringify(baseUrl)}: use an address such as http://localhost:11434/v1`);
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
  // Newer models of OpenAI refuse `max_tokens`; many other servers only support that.
  const limit = url.hostname.endsWith('openai.com') ? 'max_completion_tokens' : 'max_tokens';
  const { responseFormat, maxOutputTokens } = properties(request, 'responseFormat', 'maxOutputTokens');
  return {
    model,
    messages: request.messages.map((message) => withFields(message, refused)),
    ...(request.tools.length > 0 && { tools: request.tools }),
    ...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
    ...(responseFormat && { response_format: { type: 'json_schema', json_schema: { name: responseFormat.name, schema: responseFormat.schema } } }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

async function jsonOf(response: Response, secrets: Secrets, onBytes: () => void): Promise<unknown> {
  const text = await textOf(response, onBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = secrets.redact(text.trim()).slice(0, 200);
    throw new Error(`the model's server answered ${response.status} with something other than JSON: check its address. The answer starts with: ${start || '(nothing)'}`, { cause });
  }
}

async function refusal(response: Response, secrets: Secrets): Promise<ServerError> {
  const text = await startOf(response).catch(() => '');
  let detail = text;
  try {
    const answer: unknown = JSON.parse(text);
    const error: unknown = property(answer, 'error');
    detail = [property(error, 'message'), error, property(answer, 'message')].find((value) => typeof value === 'string') ?? text;
  } catch {
    // Not JSON: use the text.
  }
  const message = `the model's server answered ${response.status}: ${secrets.redact(detail).slice(0, 1000) || response.statusText}`;
  return new ServerError(message, response.status, retryAfter(response.headers));
}

/** In seconds. The header has seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && Number.isFinite(Number(ms))) return Number(ms) / 1000;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number.isFinite(Number(value)) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
