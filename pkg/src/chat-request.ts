import { chatMessages, toUserMessage } from './chat-messages.js';
import { withImagesAfterResults } from './images.js';
import { Learned, UNKNOWN_FIELD } from './learned.js';
import { bare, properties } from './own.js';
import { fieldNames, withFields } from './provider-data.js';
import type { Refusal } from './service.js';
import { missingField, withStandIns } from './stand-ins.js';
import type { ChatMessage, ModelRequest } from './types/model.js';

/** Words of servers that do not stream. An error of the upstream server is none of them. */
export const STREAM = /\bstream/i;

/** Words of servers, such as Gemini's, that know a result only by the name of its tool. */
const RESULT_NAME = /function_?response[^]{0,20}name|(tool|function|role)[^]{0,80}\bname\b[^]{0,60}(empty|required|missing|must)|\bname\b[^]{0,20}(cannot be empty|is required|field required)|(missing|requires?)[^]{0,20}\bname\b/i;

/** Words of servers that take no `null` in place of a text. */
const NULL_CONTENT = /content[^]{0,60}\b(null|none|nil)\b|\b(null|none|nil)\b[^]{0,60}content|content[^]{0,60}((valid|be a) string|is required|field required|missing)/i;

/** The requests of a server of chat completions, with what it taught. */
export class ChatRequests {
  readonly #learned = new Learned(['max_tokens', 'max_completion_tokens']);
  #streams: boolean;
  #hasUsage = true;
  #limit: 'max_tokens' | 'max_completion_tokens';
  #triedLimits = 1;
  #namesResults = false;
  #hasNull = true;
  /** Added fields that the service refuses to take back. */
  readonly #refused = new Set<string>();
  /** Its own fields that the service requires. */
  readonly #missing = new Set<string>();

  constructor(
    private readonly model: string,
    url: string,
    streams: boolean,
  ) {
    this.#streams = streams;
    // Newer models of OpenAI refuse `max_tokens`; many other servers only support that.
    this.#limit = /^https?:\/\/[^/?#]*openai\.com(?=[/:?#]|$)/i.test(url) ? 'max_completion_tokens' : 'max_tokens';
  }

  body(given: ModelRequest): object {
    const request = this.#learned.apply(withImages(given));
    const { responseFormat, maxOutputTokens } = properties(request, 'responseFormat', 'maxOutputTokens');
    return this.#learned.body({
      model: this.model,
      messages: chatMessages(request.messages).map((message) => this.#message(message)),
      ...(request.tools.length > 0 && { tools: request.tools }),
      ...(maxOutputTokens !== undefined && { [this.#limit]: maxOutputTokens }),
      ...(responseFormat && { response_format: { type: 'json_schema', json_schema: { name: responseFormat.name, schema: responseFormat.schema } } }),
      ...(this.#streams && { stream: true, ...(this.#hasUsage && { stream_options: { include_usage: true } }) }),
    });
  }

  /** Learns from a refusal, and says what. */
  learn(refusal: Refusal, request: ModelRequest): string | undefined {
    return this.#learnOfFields(refusal, request) ?? this.#learned.learn(refusal, withImages(request));
  }

  #learnOfFields({ status, text }: Refusal, request: ModelRequest): string | undefined {
    // Templates of open models fail with 500.
    if (status === 500) return this.#learnOfNull(text, request);
    if (status !== 400 && status !== 422) return undefined;
    const isUnknown = UNKNOWN_FIELD.test(text);
    if (this.#streams && this.#hasUsage && text.includes('stream_options')) {
      this.#hasUsage = false;
      return 'from now on, streams are without usage';
    }
    if (this.#streams && STREAM.test(text)) {
      this.#streams = false;
      return 'from now on, answers are not streamed';
    }
    const field = missingField(text);
    if (field !== undefined && !this.#missing.has(field)) {
      this.#missing.add(field);
      return `from now on, calls without \`${field}\` have a stand-in for it`;
    }
    const named = [...fieldNames(request.messages)].filter((name) => !this.#refused.has(name) && text.includes(name));
    if (named.length > 0 && isUnknown) {
      for (const name of named) this.#refused.add(name);
      return `from now on, the service's fields ${named.join(', ')} do not go back`;
    }
    if (isUnknown && this.#triedLimits < 2 && properties(request, 'maxOutputTokens').maxOutputTokens !== undefined && new RegExp(`\\b${this.#limit}\\b`).test(text)) {
      this.#triedLimits += 1;
      this.#limit = this.#limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
      return `from now on, the limit of an answer is \`${this.#limit}\``;
    }
    if (!this.#namesResults && RESULT_NAME.test(text) && request.messages.some(({ role }) => role === 'tool')) {
      this.#namesResults = true;
      return 'from now on, results have the names of their tools';
    }
    return this.#learnOfNull(text, request);
  }

  #learnOfNull(text: string, request: ModelRequest): string | undefined {
    const hasNull = request.messages.some((message) => message.role === 'assistant' && message.content === null && message.tool_calls?.length);
    if (!this.#hasNull || !hasNull || !NULL_CONTENT.test(text)) return undefined;
    this.#hasNull = false;
    return 'from now on, answers without a text have an empty one';
  }

  #message(message: ChatMessage): object {
    if (message.role === 'user') return toUserMessage(message);
    const sent = withStandIns(withFields(message, this.#refused), this.#missing) as Record<string, unknown>;
    if (message.role === 'tool' && this.#namesResults) return bare({ ...sent, name: message.name });
    return message.role === 'assistant' && message.content === null && !this.#hasNull ? bare({ ...sent, content: '' }) : sent;
  }
}

/** Results have only texts. */
function withImages(request: ModelRequest): ModelRequest {
  return bare({ ...request, messages: withImagesAfterResults(request.messages) });
}
