import { addressOfImage, imagesOf } from './images.js';
import type { ChatMessage, UserMessage } from './types/model.js';

/** A message of the user as chat completions take it. */
export function toUserMessage(message: UserMessage): object {
  const { content } = message;
  const images = imagesOf(message).map((image) => ({ type: 'image_url', image_url: { url: addressOfImage(image) } }));
  if (images.length === 0) return { role: 'user', content };
  return { role: 'user', content: content.trim() === '' ? images : [{ type: 'text', text: content }, ...images] };
}

/** Messages of the user that follow each other are one, because templates of open models refuse two. */
export function chatMessages(messages: ChatMessage[]): ChatMessage[] {
  const found: ChatMessage[] = [];
  for (const message of messages) {
    const last = found.at(-1);
    if (last?.role !== 'user' || message.role !== 'user') found.push(message);
    else found[found.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}`, images: [...imagesOf(last), ...imagesOf(message)] };
  }
  return found;
}
