import { bare, property } from './own.js';
import type { ChatMessage, Image, ToolMessage } from './types/model.js';

/** The images of a message. */
export function imagesOf(message: ChatMessage): Image[] {
  const images: unknown = property(message, 'images');
  return Array.isArray(images) ? images : [];
}

/** The image as an address that has its data. */
export function addressOfImage({ mediaType, data }: Image): string {
  return `data:${mediaType};base64,${data}`;
}

/** Images of results as a message of the user after the last result of a turn, for services whose results have only texts. */
export function withImagesAfterResults(messages: ChatMessage[]): ChatMessage[] {
  let results: ToolMessage[] = [];
  return messages.flatMap((message, at): ChatMessage[] => {
    if (message.role !== 'tool') return [message];
    results.push(message);
    const { images, ...text } = bare(message);
    if (messages[at + 1]?.role === 'tool') return [text];
    const shown = results.flatMap((result) => imagesOf(result).map((image) => ({ image, name: result.name })));
    results = [];
    if (shown.length === 0) return [text];
    const content = `These images are parts of the results above, in the order of the calls: ${shown.map(({ name }) => name).join(', ')}.`;
    return [text, { role: 'user', content, images: shown.map(({ image }) => image) }];
  });
}
