import { addressOfImage, imagesOf } from './images.js';
import { bare, property } from './own.js';
import type { AssistantMessage, ChatMessage, ToolCall } from './types/model.js';

// An answer of the Responses API is a list of items: reasoning, messages and calls. The list is `providerData.output` of its message,
// verbatim except for the arguments of calls, which the message has anyway.

type Item = Record<string, unknown>;

/** The conversation as items. Without `takesData`, reasoning and other data of answers is left out. */
export function inputOf(messages: ChatMessage[], takesData: boolean): object[] {
  return messages.flatMap((message): object[] => {
    if (message.role === 'tool') return [{ type: 'function_call_output', call_id: message.tool_call_id, output: contentOf(message) }];
    if (message.role === 'assistant') return itemsOf(bare(message), takesData);
    return [{ role: message.role, content: contentOf(message) }];
  });
}

/** The text, or a list of it and the images. */
function contentOf(message: Exclude<ChatMessage, AssistantMessage>): string | object[] {
  const images = imagesOf(message).map((image) => ({ type: 'input_image', image_url: addressOfImage(image) }));
  if (images.length === 0) return message.content;
  return message.content.trim() === '' ? images : [{ type: 'input_text', text: message.content }, ...images];
}

function itemsOf({ content, tool_calls = [], providerData }: AssistantMessage, takesData: boolean): object[] {
  const output = takesData ? outputOf(providerData) : [];
  const texts = output.filter(isMessage).map(textOf).join('');
  // The harness drops blank texts. Another text than the model's counts for all of the messages.
  const isVerbatim = texts === (content ?? '') || (content === null && texts.trim() === '');
  let message = content ? [{ role: 'assistant', content }] : [];
  const calls = tool_calls.slice();
  const items: Item[] = [];
  for (const item of output) {
    if (isMessage(item)) {
      items.push(...(isVerbatim ? [item] : message));
      message = [];
    } else if (item.type === 'function_call') {
      // By position, because the harness replaces ids that repeat.
      const call = calls.shift();
      if (call) items.push({ ...item, ...toItem(call) });
    } else {
      items.push(item);
    }
  }
  items.push(...message, ...calls.map(toItem));
  // Reasoning without what followed it is refused.
  while (items.at(-1)?.type === 'reasoning') items.pop();
  return items;
}

function toItem({ id, function: { name, arguments: text } }: ToolCall): Item {
  return { type: 'function_call', call_id: id, name, arguments: text };
}

/** The items of an answer; none for data of another adapter, and none if the service would look for the reasoning in its store. */
function outputOf(providerData: unknown): Item[] {
  const output: unknown = property(providerData, 'output');
  if (!Array.isArray(output) || output.some(isStored)) return [];
  return output.filter((item) => typeof property(item, 'type') === 'string');
}

/** Whether the item is reasoning that is only in the service's store, because it came without its content. */
function isStored(item: unknown): boolean {
  const content: unknown = property(item, 'content');
  return property(item, 'type') === 'reasoning' && !property(item, 'encrypted_content') && !(Array.isArray(content) && content.length > 0);
}

export function isMessage(item: unknown): boolean {
  return property(item, 'type') === 'message';
}

/** The words of a message, which may be a refusal. */
export function textOf(message: unknown): string {
  const parts: unknown = property(message, 'content');
  if (!Array.isArray(parts)) return '';
  return parts.map((part): unknown => property(part, 'text') ?? property(part, 'refusal')).filter((text) => typeof text === 'string').join('');
}
