import { fields, object, text } from './arguments.js';
import { ChatAnswer } from './chat-answer.js';
import { ChatRequests, STREAM } from './chat-request.js';
import { Learned } from './learned.js';
import { properties, property } from './own.js';
import { ResponsesAnswer } from './responses-answer.js';
import { inputOf } from './responses-input.js';
import { Secrets } from './secrets.js';
import { addressOf, headersOf, portFor, type Connection } from './service.js';
import type { ModelPort, ModelRequest, ToolSchema } from './types/model.js';

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
  /**
   * Fields of each request's body, such as `reasoning_effort`, `temperature` or a gateway's `provider`. They replace the adapter's
   * fields, except `messages`, `tools` and `stream`.
   */
  body?: Record<string, unknown>;
  /** The size of the model's context window, so that long conversations are shortened before they exceed it. */
  contextTokens?: number;
  /** Whether the model takes images. Default: false, because many local models take none. */
  images?: boolean;
}

export interface OpenAiResponsesOptions {
  apiKey?: string;
  model: string;
  /** Default: `https://api.openai.com/v1`. With or without `/responses`. */
  baseUrl?: string;
  headers?: Record<string, string>;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Default: true. Servers may answer without streaming. */
  stream?: boolean;
  /**
   * Fields of each request's body, such as `reasoning` or `service_tier`. They replace the adapter's fields, except `input`, `tools`,
   * `stream`, `store` and `include`. `previous_response_id`, `conversation` and `background` are never sent.
   */
  body?: Record<string, unknown>;
  /** The size of the model's context window, so that long conversations are shortened before they exceed it. */
  contextTokens?: number;
  /** Whether the model takes images. Default: true. */
  images?: boolean;
}

/**
 * A `ModelPort` for any server with OpenAI's chat completions API and tool calls.
 *
 * No error has the key, the values of the headers, or the credentials in the address, and a run takes them out of its events.
 *
 * If the server refuses a call, it rejects with an `Error` that has `status` and, if the server sent it, `retryAfter` in seconds. An
 * error within a stream has the status that it has outside of one. A quota that is used up has the status 402, because a retry does not
 * help. If a stream breaks off, the finish reason is `error`, which marks the answer as incomplete.
 *
 * Fields that the service adds to an answer or its tool calls (`extra_content`, `reasoning_details`, `reasoning_content`, …) become
 * `providerData` and are sent back in the same places.
 */
export function openAiCompatible(options: OpenAiOptions): ModelPort {
  const { baseUrl, model: named, stream, body } = fields(options, 'options', 'baseUrl', 'model', 'stream', 'body');
  const connection = connectionOf(options, text(baseUrl, 'baseUrl'), '/chat/completions', false);
  const model = text(named, 'model');
  const more = without(body, ['messages', 'tools', 'stream']);
  const requests = new ChatRequests(model, baseUrl.trim(), stream ?? true);

  return portFor(connection, {
    mark: 'choices',
    body: (request) => ({ ...requests.body(request), ...more }),
    answer: (request, onDelta) => new ChatAnswer(request.tools, onDelta),
    adapts: (refusal, request) => requests.learn(refusal, request),
  });
}

/**
 * A `ModelPort` for OpenAI's Responses API. Nothing is stored at the service: each request has the whole conversation.
 *
 * The items of an answer, with its encrypted reasoning, become `providerData` and are sent back in their order.
 *
 * Errors and secrets are as in `openAiCompatible`.
 */
export function openAiResponses(options: OpenAiResponsesOptions): ModelPort {
  const { baseUrl, model: named, stream, body } = fields(options, 'options', 'baseUrl', 'model', 'stream', 'body');
  const connection = connectionOf(options, text(baseUrl ?? 'https://api.openai.com/v1', 'baseUrl'), '/responses', true);
  const model = text(named, 'model');
  const more = without(body, ['input', 'tools', 'stream', 'store', 'include', 'previous_response_id', 'conversation', 'background']);
  const learned = new Learned(['strict', 'store', 'max_output_tokens']);
  let streams = stream ?? true;
  let encrypts = true;

  return portFor(connection, {
    mark: 'output',
    body: (request) => learned.body(responsesBody(model, learned.apply(request), streams, encrypts, more)),
    answer: (_, onDelta) => new ResponsesAnswer(onDelta),
    adapts(refusal, request) {
      const isRefused = refusal.status === 400 || refusal.status === 422;
      // Models without reasoning refuse to encrypt it, and reasoning is refused that was encrypted for another account.
      if (isRefused && encrypts && /encrypted[ _]content|\binclude\b/i.test(refusal.text)) {
        encrypts = false;
        return 'from now on, encrypted reasoning does not go back';
      }
      if (isRefused && streams && STREAM.test(refusal.text)) {
        streams = false;
        return 'from now on, answers are not streamed';
      }
      return learned.learn(refusal, request);
    },
  });
}

function connectionOf(options: OpenAiOptions | OpenAiResponsesOptions, baseUrl: string, endpoint: string, takesImages: boolean): Connection {
  const { apiKey, headers, fetch, contextTokens, images } = fields(options, 'options', 'apiKey', 'headers', 'fetch', 'contextTokens', 'images');
  const address = baseUrl.trim();
  const secrets = new Secrets();
  secrets.key(apiKey);
  secrets.headers(headers);
  secrets.address(address);
  return {
    url: () => addressOf(address, endpoint),
    headers: headersOf(apiKey ? { authorization: `Bearer ${apiKey}` } : {}, headers),
    send: fetch ?? globalThis.fetch.bind(globalThis),
    secrets,
    contextTokens,
    images: images ?? takesImages,
  };
}

/** The user's fields of a body, without those that only the adapter sets. */
function without(body: Record<string, unknown> | undefined, ours: string[]): object {
  if (body === undefined || body === null) return {};
  return Object.fromEntries(Object.entries(object(body, 'body')).filter(([name]) => !ours.includes(name)));
}

function responsesBody(model: string, request: ModelRequest, stream: boolean, encrypts: boolean, more: object): object {
  const { responseFormat, maxOutputTokens } = properties(request, 'responseFormat', 'maxOutputTokens');
  const format = responseFormat && { type: 'json_schema', name: responseFormat.name, schema: responseFormat.schema, strict: false };
  return {
    model,
    input: inputOf(request.messages, encrypts),
    ...(request.tools.length > 0 && { tools: request.tools.map(toFunction) }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(stream && { stream: true }),
    store: false,
    ...(encrypts && { include: ['reasoning.encrypted_content'] }),
    ...more,
    // The user's `text` has the verbosity.
    ...(format && { text: { format, ...property(more, 'text') } }),
  };
}

/** The default is strict, which refuses schemas with optional properties. */
function toFunction({ function: { name, description, parameters } }: ToolSchema): object {
  return { type: 'function', name, description, parameters, strict: false };
}
