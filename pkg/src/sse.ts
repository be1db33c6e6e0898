import { tooLong } from './body.js';

/** A line is held in memory until it ends. */
const LINE_LENGTH = 8 * 1024 * 1024;

/** Of a text that is neither JSON nor a stream of events, only the start is shown. */
const TEXT_LENGTH = 64 * 1024;

/** A part of an answer. The first bytes of a body say what it is, whatever its label says. */
export type BodyPart =
  /** An event of a stream. */
  | { kind: 'event'; data: string; name: string | undefined }
  /** The body is one JSON text. */
  | { kind: 'json'; value: unknown }
  /** The body is, or has before this event, a text of another sort. */
  | { kind: 'text'; text: string }
  /** The body ended within an event. */
  | { kind: 'torn' };

/** Reads a body: one JSON text, or a stream of events, which may be JSON on lines of their own. */
export async function* partsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<BodyPart, void, undefined> {
  const texts = textsOf(body);
  let start = '';
  for (;;) {
    const { done, value } = await texts.next();
    if (done) break;
    start += value;
    if (value.trimStart() !== '' || start.length > TEXT_LENGTH) break;
  }
  if (!/^\s*[{[]/.test(start)) return yield* eventsIn(joined(start, texts));
  const pieces = [start];
  for await (const text of texts) pieces.push(text);
  const whole = pieces.join('');
  const value = parsed(whole);
  if (value !== undefined) yield { kind: 'json', value: value.value };
  else yield* eventsIn([whole]);
}

/** The fields of an event. Some servers write an error as a field of its own. */
const FIELDS = ['data:', 'event:', 'id:', 'retry:', 'error:'];

const FIELD = /^\s*(data|event|id|retry|error): ?(?:data: ?(?=[{[]))?([^]*)$/i;

/** The events of a stream of lines. A longer line than `LINE_LENGTH` rejects. */
async function* eventsIn(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<BodyPart, void, undefined> {
  let data: string[] = [];
  let name: string | undefined;
  /** What is no event since the last one. */
  let other = '';
  let isCut = false;
  /** The lines of a JSON text without `data:`, and the line that ends it. */
  let loose: string[] = [];
  let looseEnd = '';
  const event = function* (): Generator<BodyPart, void, undefined> {
    if (other.trim() !== '') yield { kind: 'text', text: other };
    const found: BodyPart = { kind: 'event', data: [...data, ...loose].join('\n'), name };
    [data, name, other, loose] = [[], undefined, '', []];
    yield found;
  };
  for await (const { line, isEnded } of linesOf(texts)) {
    if (loose.length > 0 && !FIELD.test(line)) {
      loose.push(line);
      if (line.trimEnd() === looseEnd) yield* event();
      continue;
    }
    if (loose.length > 0) yield* event();
    const [, written = '', value = ''] = FIELD.exec(line) ?? [];
    const field = written.toLowerCase();
    isCut = !isEnded && (field !== '' ? field !== 'data' && field !== 'error' : FIELDS.some((whole) => whole.startsWith(line)));
    // Some servers omit the blank lines.
    const isNext = (field === 'data' || field === 'event') && data.length === 1 && isJson(data[0]);
    if (isNext || ((line === '' || field === 'error') && data.length > 0)) yield* event();
    if (line === '') {
      // Some servers end with an event that has no data.
      if (isEndMark('', name)) yield* event();
      name = undefined;
    } else if (field === 'data') data.push(value);
    else if (field === 'event') name = value.trim();
    else if (field === 'error') {
      [data, name] = [[value], 'error'];
      yield* event();
    } else if (/^\s*[{[]/.test(line)) {
      if (data.length > 0) yield* event();
      loose = [line];
      looseEnd = /^\s*/.exec(line)?.[0] + (line.trim().startsWith('{') ? '}' : ']');
      if (isJson(line)) yield* event();
    } else if (field === '' && !line.startsWith(':') && other.length < TEXT_LENGTH) other += `${line}\n`;
  }
  // Some servers omit the blank line after the last event.
  if (data.length > 0 || loose.length > 0 || isEndMark('', name)) yield* event();
  else if (isCut || name !== undefined) yield { kind: 'torn' };
  else if (other.trim() !== '') yield { kind: 'text', text: other };
}

/** Whether an event ends a stream by its words, such as `[DONE]`, or by its name. */
export function isEndMark(data: string, name: string | undefined): boolean {
  return /^\W*(done|eof)\W*$/i.test(data) || (/^(done|end|eof|close)$/i.test(name ?? '') && !/^[{[]/.test(data));
}

function isJson(text = ''): boolean {
  return /^\s*[{[]/.test(text) && parsed(text) !== undefined;
}

/** The lines, in linear time: the pieces of a long line are joined once. The last one may have no end. */
async function* linesOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<{ line: string; isEnded: boolean }, void, undefined> {
  let pieces: string[] = [];
  let length = 0;
  let afterReturn = false;
  for await (const text of texts) {
    // The second half of CRLF.
    const [first = '', ...others] = (afterReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    afterReturn = text.endsWith('\r');
    pieces.push(first);
    length += first.length;
    for (const start of others) {
      yield { line: pieces.join(''), isEnded: true };
      pieces = [start];
      length = start.length;
    }
    if (length > LINE_LENGTH) throw tooLong('line', LINE_LENGTH);
  }
  if (length > 0) yield { line: pieces.join(''), isEnded: false };
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

async function* joined(start: string, texts: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  try {
    yield start;
    yield* texts;
  } finally {
    await texts.return();
  }
}

/** The value in a JSON text, in an object because it may be `null`. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
