import { imagesOf } from './images.js';
import { bare, properties, property } from './own.js';
import { argumentsOf, partsOf, type Part } from './parts.js';
import type { AssistantMessage, ChatMessage, ModelRequest, ToolSchema } from './types/model.js';

type Block = Record<string, any>;
type Message = { role: 'user' | 'assistant'; content: Block[] };

/** What a request has beside the conversation. */
export interface Settings {
  model: string;
  maxTokens: number | undefined;
  thinking: Block | undefined;
  body: Block | undefined;
}

/** For an answer without a limit of its own. Models since 2025 allow it. */
const MAX_TOKENS = 32_000;

/** What thoughts get beside the limit of an answer, if the model decides on their length. */
const ADAPTIVE_TOKENS = 8_000;

/** The body of a request. `paused` has the parts of an answer that the service is to continue. */
export function bodyOf({ model, maxTokens, thinking: option, body }: Settings, request: ModelRequest, paused: Part[]): object {
  const { responseFormat, maxOutputTokens } = properties(request, 'responseFormat', 'maxOutputTokens');
  const { tools: added, output_config: output, messages: ours, stream, thinking = option, ...rest }: Block = bare(Object(body));
  // The service counts thoughts as output, and the core does not.
  const budget = Number(property(thinking, 'budget_tokens')) || (property(thinking, 'type') === 'adaptive' ? ADAPTIVE_TOKENS : 0);
  const limit = maxOutputTokens === undefined ? (maxTokens ?? MAX_TOKENS + budget) : maxOutputTokens + budget;
  const format = responseFormat && { format: { type: 'json_schema', schema: responseFormat.schema } };
  const instructions = request.messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  const system = instructions.flatMap(textBlocks);
  const tools: Block[] = [...(added ?? []).map(bare), ...request.tools.map(toTool)];
  // The service reads tools, then instructions, then messages. It caches all up to the mark.
  const stable: Block | undefined = system.at(-1) ?? tools.at(-1);
  if (stable) stable.cache_control = { type: 'ephemeral' };
  const messages = toMessages(request.messages);
  const start = paused.flatMap(toBlocks);
  const last = start.at(-1);
  // The service refuses the start of an answer that ends in white space.
  if (last?.type === 'text') last.text = last.text.trimEnd();
  if (last) messages.push({ role: 'assistant', content: start });
  return {
    model,
    max_tokens: limit,
    stream: true,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    messages,
    ...(thinking && !(property(thinking, 'type') === 'enabled' && lacksThoughts(messages)) && { thinking }),
    ...((output || format) && { output_config: { ...output, ...format } }),
    ...rest,
  };
}

/** The conversation. Results of calls that follow each other are one message, because the service takes them only together. */
function toMessages(messages: ChatMessage[]): Message[] {
  const found: Message[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = contentOf(message);
    const last = found.at(-1);
    if (last?.role === role) last.content.push(...content);
    // The service refuses a message without content.
    else if (content.length > 0) found.push({ role, content });
  }
  return found;
}

function contentOf(message: Exclude<ChatMessage, { role: 'system' }>): Block[] {
  if (message.role === 'assistant') return partsOf(message as AssistantMessage).flatMap(toBlocks);
  const images = imagesOf(message).map(({ mediaType, data }) => ({ type: 'image', source: { type: 'base64', media_type: mediaType, data } }));
  if (message.role === 'user') return [...textBlocks(message.content), ...images];
  const content = images.length > 0 ? [...textBlocks(message.content), ...images] : message.content.trim() && message.content;
  return [{ type: 'tool_result', tool_use_id: toId(message.tool_call_id), ...(content && { content }) }];
}

function toBlocks(part: Part): Block[] {
  if (part.kind === 'data') return [part.data];
  if (part.kind === 'text') return textBlocks(part.text).map((block) => ({ ...part.data, ...block }));
  return [{ ...part.data, type: 'tool_use', id: toId(part.id), name: part.name, input: argumentsOf(part.arguments) }];
}

/** The service takes only these characters. The ids may come from another model. */
function toId(id: string): string {
  return String(id).replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
}

/** The service refuses a text that is empty or blank. */
function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/**
 * With a thinking budget, the service refuses a turn with calls that does not start with thoughts. That is so if the thoughts were
 * dropped with rewritten arguments, or belong to another model.
 */
function lacksThoughts(messages: Message[]): boolean {
  const isPrompt = ({ role, content }: Message) => role === 'user' && content.some(({ type }) => type !== 'tool_result');
  const start = messages.slice(messages.map(isPrompt).lastIndexOf(true) + 1).find(({ role }) => role === 'assistant');
  return start !== undefined && !/^(redacted_)?thinking$/.test(start.content[0]?.type);
}

function toTool(tool: ToolSchema): Block {
  const { name, description, parameters } = properties(property(tool, 'function'), 'name', 'description', 'parameters');
  return { name, ...(description && { description }), input_schema: inputSchema(parameters) };
}

/** The service takes only an object without alternatives at the top: their properties are all allowed. */
function inputSchema(parameters: unknown): Block {
  const { oneOf, anyOf, allOf, ...schema }: Block = bare(Object(parameters));
  const alternatives: unknown[] = [oneOf, anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (alternatives.length === 0) return { ...schema, type: 'object' };
  const all = Object.assign(bare({}), ...alternatives.map((one) => property(one, 'properties')), schema.properties);
  return { ...schema, type: 'object', properties: all };
}
