import { tooLong } from './body.js';

/** A line is held in memory until it ends. */
const LINE_LENGTH = 8 * 1024 * 1024;

/** Yields the data of each server-sent event. A longer line than `LINE_LENGTH` rejects. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
  // Some servers omit the blank line after the last event.
  if (data.length > 0) yield data.join('\n');
}

/** The lines, in linear time: the pieces of a long line are joined once. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let pieces: string[] = [];
  let length = 0;
  let afterReturn = false;
  for await (const text of textsOf(body)) {
    // The second half of CRLF.
    const [first = '', ...others] = (afterReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    afterReturn = text.endsWith('\r');
    pieces.push(first);
    length += first.length;
    for (const start of others) {
      yield pieces.join('');
      pieces = [start];
      length = start.length;
    }
    if (length > LINE_LENGTH) throw tooLong('line', LINE_LENGTH);
  }
  if (length > 0) yield pieces.join('');
}

async function* textsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
