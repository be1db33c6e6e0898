import { imagesOf, withImagesAfterResults } from './images.js';
import { bare, properties, property } from './own.js';
import { argumentsOf, partsOf, type Part } from './parts.js';
import type { AssistantMessage, ChatMessage, Image, ModelRequest } from './types/model.js';

type Fields = Record<string, unknown>;
type Message = { role: string; content: string | Fields[] };

/** What differs between models. */
export interface Form {
  /** Of the specification. */
  version: 'v2' | 'v3' | 'v4';
  imagesInResults: boolean;
}

/** A request as `doGenerate` and `doStream` take it. Versions 2 to 4 agree in all that is in it but images. */
export function callOptions(request: ModelRequest, form: Form, signal: AbortSignal, more: Fields): Fields {
  const { responseFormat, maxOutputTokens } = properties(request, 'responseFormat', 'maxOutputTokens');
  const tools = request.tools.map(({ function: { name, description, parameters } }) => ({ type: 'function', name, description, inputSchema: parameters }));
  return bare({
    ...more,
    prompt: toPrompt(form.imagesInResults ? request.messages : withImagesAfterResults(request.messages), form.version),
    ...(tools.length > 0 && { tools, toolChoice: { type: 'auto' } }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(responseFormat && { responseFormat: { type: 'json', name: responseFormat.name, schema: responseFormat.schema } }),
    abortSignal: signal,
    // Otherwise a stream has no sign of what providers leave out, such as pings.
    includeRawChunks: true,
  });
}

/** Results of calls that follow each other are one message. */
function toPrompt(messages: ChatMessage[], version: Form['version']): Message[] {
  const prompt: Message[] = [];
  for (const message of messages) {
    const { role } = message;
    if (role === 'system') {
      prompt.push({ role, content: message.content });
      continue;
    }
    const content = contentOf(message, version);
    const last = prompt.at(-1);
    if (role === 'tool' && last?.role === 'tool' && typeof last.content !== 'string') last.content.push(...content);
    else if (content.length > 0) prompt.push({ role, content });
  }
  return prompt;
}

function contentOf(message: Exclude<ChatMessage, { role: 'system' }>, version: Form['version']): Fields[] {
  if (message.role === 'assistant') return partsOf(message as AssistantMessage).filter(says).map(toPart);
  const files = imagesOf(message).map((image) => toFile(image, version));
  const text = message.content.trim() === '' && files.length > 0 ? [] : [{ type: 'text', text: message.content }];
  if (message.role === 'user') return [...text, ...files.map((file) => ({ ...file, type: 'file' }))];
  const output = files.length > 0 ? { type: 'content', value: [...text, ...files] } : { type: 'text', value: message.content };
  return [{ type: 'tool-result', toolCallId: message.tool_call_id, toolName: message.name, output }];
}

/** An image in the result of a call. */
function toFile({ mediaType, data }: Image, version: Form['version']): Fields {
  if (version === 'v2') return { type: 'media', mediaType, data };
  if (version === 'v3') return { type: 'image-data', mediaType, data };
  return { type: 'file', mediaType, data: { type: 'data', data } };
}

/** Services refuse a text without words, but it may have metadata that must go back. */
function says(part: Part): boolean {
  return part.kind !== 'text' || part.text.trim() !== '' || part.data !== undefined;
}

function toPart(part: Part): Fields {
  if (part.kind === 'data') return revived(part.data as Fields);
  const providerOptions = part.data && { providerOptions: part.data };
  if (part.kind === 'text') return { type: 'text', text: part.text, ...providerOptions };
  return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: argumentsOf(part.arguments), ...providerOptions };
}

/** A part that was stored as JSON. Providers take the address of a file only as an object. */
function revived(part: Fields): Fields {
  const data: unknown = property(part, 'data');
  const url: unknown = property(data, 'url');
  return property(data, 'type') === 'url' && typeof url === 'string' ? { ...part, data: { type: 'url', url: new URL(url) } } : part;
}
