import { fields, object, text, wrong } from './arguments.js';
import { MessagesAnswer } from './anthropic-answer.js';
import { bodyOf, type Settings } from './anthropic-request.js';
import { Learned } from './learned.js';
import { property } from './own.js';
import { Secrets } from './secrets.js';
import { addressOf, headersOf, portFor } from './service.js';
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
  /** The longest answer in tokens, if the request has no limit. Default: 32,000, and fewer if the model's refusal says so. */
  maxTokens?: number;
  /** Such as `{ type: 'adaptive' }` or, for older models, `{ type: 'enabled', budget_tokens: 8000 }`. Default: the model's. */
  thinking?: { type: string; budget_tokens?: number; display?: string };
  /**
   * Fields of each request's body, such as `output_config: { effort: 'high' }`. They replace the adapter's fields, except `messages` and
   * `stream`. `tools` are added to the harness's.
   */
  body?: Record<string, unknown>;
  /** The size of the model's context window, so that long conversations are shortened before they exceed it. */
  contextTokens?: number;
  /** Whether the model takes images. Default: true. */
  images?: boolean;
}

/**
 * A `ModelPort` for Anthropic's Messages API, also from a page: anybody who can read the page's memory can read the key.
 *
 * No error has the key, the values of the headers, or the credentials in the address, and a run takes them out of its events.
 *
 * If the server refuses a call, it rejects with an `Error` that has `status` and, if the server sent it, `retryAfter` in seconds. An
 * error within a stream has the status that it has outside of one. If a stream breaks off, the finish reason is `error`, which marks the
 * answer as incomplete.
 *
 * Instructions and tools are marked for the service's cache. Thoughts and the results of the service's own tools become `providerData`
 * and are sent back in the same places.
 */
export function anthropic(options: AnthropicOptions): ModelPort {
  const { apiKey, model: named, baseUrl: given, headers, fetch, maxTokens, thinking, body, contextTokens, images } = fields(options, 'options', 'apiKey', 'model', 'baseUrl', 'headers', 'fetch', 'maxTokens', 'thinking', 'body', 'contextTokens', 'images');
  const baseUrl = text(given ?? 'https://api.anthropic.com', 'baseUrl').trim();
  if (body !== undefined && body !== null && !Array.isArray(property(object(body, 'body'), 'tools') ?? [])) throw wrong('`body.tools` must be an array of tools');
  const settings: Settings = { model: text(named, 'model'), maxTokens, thinking, body };
  const learned = new Learned(['cache_control']);
  const secrets = new Secrets();
  secrets.key(apiKey);
  secrets.headers(headers);
  secrets.address(baseUrl);
  const connection = { url: () => endpoint(baseUrl), headers: headersOf(defaults(apiKey), headers), send: fetch ?? globalThis.fetch.bind(globalThis), secrets, contextTokens, images: images ?? true };

  return portFor<MessagesAnswer>(connection, {
    mark: 'content',
    body: (request, answer) => learned.body(bodyOf(settings, learned.apply(request), answer.parts())),
    answer: (_, onDelta) => new MessagesAnswer(onDelta),
    adapts: (refusal, request) => learned.learn(refusal, request),
  });
}

/** Users paste the address with and without the version. */
function endpoint(baseUrl: string): URL {
  const url = addressOf(baseUrl, '/messages');
  url.pathname = url.pathname.replace(/(\/v1)?\/messages$/, '/v1/messages');
  return url;
}

function defaults(apiKey: string | undefined): Record<string, string> {
  return {
    'anthropic-version': '2023-06-01',
    // Without it the service refuses calls from a page.
    'anthropic-dangerous-direct-browser-access': 'true',
    ...(apiKey && { 'x-api-key': apiKey }),
  };
}
