import { fields, text } from './arguments.js';
import { MessagesAnswer } from './anthropic-answer.js';
import { bodyOf, type Settings } from './anthropic-request.js';
import { bytesOf } from './body.js';
import { bare, properties } from './own.js';
import { Secrets } from './secrets.js';
import { addressOf, jsonOf, refusal, requestId } from './server.js';
import { ServerError } from './server-error.js';
import { readEvents } from './sse.js';
import type { ModelPort } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

export interface AnthropicOptions {
  /** Not needed for a server of yours that adds the key. */
  apiKey?: string;
  model: string;
  /** Default: `https://api.anthropic.com`. With or without `/v1/messages`. */
  baseUrl?: string;
  /** Such as `anthropic-version` (default: 2023-06-01) and `anthropic-beta`. */
  headers?: Record<string, string>;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** The longest answer in tokens, if the request has no limit. Default: 32,000. Older models allow fewer. */
  maxTokens?: number;
  /** Such as `{ type: 'adaptive' }` or, for older models, `{ type: 'enabled', budget_tokens: 8000 }`. Default: that of the model. */
  thinking?: { type: string; budget_tokens?: number; display?: string };
  /** Further fields of the request, such as `output_config: { effort: 'high' }`. `tools` are added to those of the harness. */
  body?: Record<string, unknown>;
}

/**
 * A `ModelPort` for Anthropic's Messages API, also from a page: anybody who can read the page's memory can read the key.
 *
 * No error has the key, the values of the headers, or the credentials in the address, and a run takes them out of its events.
 *
 * If the server refuses a call, or fails within a stream, it rejects with an `Error` that has `status` and, if the server sent it,
 * `retryAfter` in seconds. If a stream breaks off, the finish reason is `error`, which marks the answer as incomplete.
 *
 * Instructions and tools are marked for the service's cache. Thoughts and the results of the service's own tools become `providerData`
 * and are sent back in the same places.
 */
export function anthropic(options: AnthropicOptions): ModelPort {
  const { apiKey, model: named, baseUrl: given, headers, fetch, maxTokens, thinking, body } = fields(options, 'options', 'apiKey', 'model', 'baseUrl', 'headers', 'fetch', 'maxTokens', 'thinking', 'body');
  const baseUrl = text(given ?? 'https://api.anthropic.com', 'baseUrl').trim();
  const send = fetch ?? globalThis.fetch.bind(globalThis);
  const settings: Settings = { model: text(named, 'model'), maxTokens, thinking, body, schemaInText: false };
  const secrets = new Secrets();
  secrets.key(apiKey);
  secrets.headers(headers);
  secrets.address(baseUrl);

  const complete: ModelPort = async (request, context) => {
    const { signal, onDelta } = properties(context, 'signal', 'onDelta');
    const url = addressOf(baseUrl, /(\/v1)?(\/messages)?$/, '/v1/messages', 'https://api.anthropic.com');
    let response: Response;
    const answer = new MessagesAnswer(onDelta, (event) => requestId(response, event, secrets));
    const post = () => send(url.href, bare({ method: 'POST', headers: headersOf(apiKey, headers), body: JSON.stringify(bodyOf(settings, request, answer.parts())), signal }));
    for (;;) {
      response = await post();
      if (!response.ok) {
        const error = await refusal(response, secrets);
        if (settings.schemaInText || !request.responseFormat || error.status !== 400 || !FORMAT.test(error.message)) throw error;
        settings.schemaInText = true;
        continue;
      }
      await read(response, answer, signal, () => onDelta({ type: 'activity' }), secrets);
      if (!answer.isPaused) return answer.finish();
      answer.resume();
    }
  };
  return secrets.attachTo<ModelPort>(async (request, context) => {
    try {
      return await complete(request, context);
    } catch (thrown) {
      throw secrets.redactError(thrown);
    }
  });
}

/** Words of servers and models that have no structured answers, or not this schema. */
const FORMAT = /output[ _](config|format)|structured output|schema/i;

/** Reads a response into the answer. If the connection breaks, the answer stays incomplete. */
async function read(response: Response, answer: MessagesAnswer, signal: AbortSignal, onBytes: () => void, secrets: Secrets): Promise<void> {
  if (!response.headers.get('content-type')?.includes('text/event-stream') || !response.body) return answer.addWhole(await jsonOf(response, secrets, onBytes));
  try {
    for await (const data of readEvents(bytesOf(response.body, onBytes, () => answer.isComplete))) {
      answer.addEvent(JSON.parse(data));
      if (answer.isComplete) return;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof ServerError) throw thrown;
  }
}

/** Names of headers may have any case. */
function headersOf(apiKey: string | undefined, more: Record<string, string> | undefined): Record<string, string> {
  const given = Object.entries(Object(more)).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return bare({
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    // Without it the service refuses calls from a page.
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(apiKey && { 'x-api-key': apiKey }),
    ...Object.fromEntries(given),
  });
}
