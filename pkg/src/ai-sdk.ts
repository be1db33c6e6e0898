import { withAbilities } from './abilities.js';
import { optionalFields, wrong } from './arguments.js';
import { SdkAnswer } from './ai-sdk-answer.js';
import { isCut, isHeartbeat, isWithoutReason, refusalOf, streamedError, thrownError } from './ai-sdk-error.js';
import { callOptions } from './ai-sdk-prompt.js';
import { drain } from './body.js';
import { Learned } from './learned.js';
import { withNames } from './names.js';
import { properties, property } from './own.js';
import { Secrets } from './secrets.js';
import type { ModelPort } from './types/model.js';

export type { ModelPort, ModelRequest, ModelResponse } from './types/model.js';

/** What is used of a language model of the AI SDK. The models of `ai` 5 (v2), 6 (v3) and 7 (v4) have it. */
export interface AiSdkModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly modelId: string;
  doGenerate(options: any): PromiseLike<any>;
  doStream(options: any): PromiseLike<{ stream: ReadableStream<any>; response?: { headers?: Record<string, string> } }>;
}

export interface AiSdkOptions {
  /**
   * Default: true. Providers and middleware may answer without streaming. With `false`, nothing shows that the model still answers, and
   * `limits.modelIdleMs` bounds the time of the complete answer.
   */
  stream?: boolean;
  /** Options of the provider for each call, such as `{ openai: { reasoningEffort: 'low' } }`. */
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Further headers of each call. */
  headers?: Record<string, string>;
  /** The size of the model's context window, so that long conversations are shortened before they exceed it. */
  contextTokens?: number;
  /** Whether the model takes images. Default: true. */
  images?: boolean;
}

/**
 * A `ModelPort` for a language model of the AI SDK, such as `createOpenAI({ apiKey })('gpt-5')`.
 *
 * Errors have the provider's words, `status` and `retryAfter`, but neither its request nor its response. The keys and headers that the
 * model has in its `config` are taken out of them and out of a run's events.
 *
 * If a stream breaks off, the finish reason is `error`, which marks the answer as incomplete.
 *
 * The provider's metadata of texts, thoughts, files and calls become `providerData` and are sent back as `providerOptions` in the same
 * places.
 */
export function aiSdk(model: AiSdkModel, options: AiSdkOptions = {}): ModelPort {
  const { specificationVersion, modelId, provider, doStream } = properties(model, 'specificationVersion', 'modelId', 'provider', 'doStream');
  if (typeof doStream !== 'function' || specificationVersion === 'v1') {
    throw wrong('`model` must be a language model of the AI SDK 5 or later: pass an object, such as createOpenAI({ apiKey })(id)');
  }
  const { stream, providerOptions, headers, contextTokens, images } = optionalFields(options, 'options', 'stream', 'providerOptions', 'headers', 'contextTokens', 'images');
  const more = { ...(providerOptions && { providerOptions }), ...(headers && { headers }) };
  const form = { version: specificationVersion, imagesInResults: !CHAT.test(String(provider)) };
  const learned = new Learned();
  const secrets = new Secrets();
  secrets.headers(headers);
  // When a run starts and after an error, and not earlier: providers may fetch a token for it.
  const learn = async () => {
    const address = (value: unknown) => typeof value === 'string' && secrets.address(value);
    await Promise.all([ofConfig(model, 'headers', (value) => secrets.headers(value)), ofConfig(model, 'url', address), ofConfig(model, 'baseURL', address)]);
  };

  const complete: ModelPort = async (request, context) => {
    const { signal, onDelta } = properties(context, 'signal', 'onDelta');
    signal.throwIfAborted();
    const answer = new SdkAnswer(request.tools, onDelta);
    const asked = withNames(request);
    const ask = async (): Promise<unknown> => {
      const call = callOptions(learned.apply(asked), form, signal, more);
      try {
        return await (stream === false ? model.doGenerate(call) : model.doStream(call));
      } catch (thrown) {
        const note = learned.learn(refusalOf(thrown), asked);
        if (note === undefined) throw thrown;
        await learn();
        onDelta({ type: 'note', text: `the model's server refused a request (${thrownError(thrown, (text) => secrets.redact(text)).message}); ${note}` });
        return ask();
      }
    };
    if (stream === false) {
      answer.addWhole(await ask());
      return answer.finish(String(modelId));
    }
    const { stream: parts, response } = properties(await ask(), 'stream', 'response');
    await read(parts, answer, signal, () => onDelta({ type: 'activity' }));
    const finished = answer.finish(String(modelId));
    const type = String(property(property(response, 'headers'), 'content-type'));
    // Providers find no event in it, and the core would call the model again.
    if (finished.finish_reason === 'error' && finished.content === null && NO_STREAM.test(type)) throw new Error(`the model's server answered with ${type} in place of a stream: check its address`);
    return finished;
  };
  const port: ModelPort = async (request, context) => {
    try {
      return await complete(request, context);
    } catch (thrown) {
      property(context, 'signal').throwIfAborted();
      await learn();
      const clean = (text: string) => secrets.redact(text);
      throw secrets.redactError(thrown instanceof Streamed ? streamedError(thrown.error, clean) : thrownError(thrown, clean));
    }
  };
  return secrets.attachTo(withAbilities(port, { contextTokens, images: images ?? true }), () => void learn());
}

/** Providers of chat completions, which write the images of results as texts. */
const CHAT = /\.chat$/;

/** Types of pages and texts. JSON may be an error that passes. */
const NO_STREAM = /^text\/(html|plain)\b/i;

/** The error that a part of a stream has. */
class Streamed {
  constructor(readonly error: unknown) {}
}

async function read(stream: ReadableStream<unknown>, answer: SdkAnswer, signal: AbortSignal, onPart: () => void): Promise<void> {
  const reader = stream.getReader();
  // Providers end their stream, but middleware may not.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    while (!answer.hasEnd && !answer.isFull) {
      const { done, value } = await reader.read();
      if (done) break;
      onPart();
      const { type, error } = properties(value, 'type', 'error');
      if (type !== 'error') answer.addPart(value);
      else if (isHeartbeat(error)) answer.passOver();
      else if (isWithoutReason(error)) answer.end();
      else if (error instanceof Error && isCut(error)) break;
      else throw new Streamed(error);
    }
  } catch (thrown) {
    cancel();
    if (thrown instanceof Streamed || !isCut(thrown)) throw thrown;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  signal.throwIfAborted();
  if (answer.hasEnd) void drain(reader);
  else cancel();
}

/**
 * Passes on a value of a model's configuration, which providers keep as a value or a function: at once, unless it is a promise. It only
 * serves to find secrets.
 */
async function ofConfig(model: unknown, name: string, use: (value: unknown) => void): Promise<void> {
  try {
    const config: unknown = property(model, 'config');
    const value: unknown = property(config, name);
    const found: unknown = typeof value === 'function' ? value.call(config, { path: '', modelId: property(model, 'modelId') }) : value;
    use(typeof property(found, 'then') === 'function' ? await found : found);
  } catch {
    // Such as a key that is not there: the call says it.
  }
}
