import { bytesOf } from './body.js';
import type { End } from './finish.js';
import type { Secrets } from './secrets.js';
import { errorIn, reported, ServerError, statusOfWords, wordsOf } from './server-error.js';
import type { Answer } from './service.js';
import { isEndMark, parsed, partsIn, type BodyPart } from './sse.js';

/** Reads a response into an answer. What the body is, its bytes say. Rejects with what the server said, if that is no answer. */
export async function read(response: Response, answer: Answer, mark: string, secrets: Secrets, onBytes: () => void, signal: AbortSignal): Promise<End> {
  const reading = new Reading(answer);
  const body = response.body ?? new Response(await response.arrayBuffer()).body;
  try {
    if (body) for await (const part of partsIn(bytesOf(body, onBytes, () => reading.end === 'said'))) if (reading.take(part)) break;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof ServerError || thrown instanceof Unreadable) throw thrown instanceof Unreadable ? thrown.cause : thrown;
    // The connection broke, which the answer shows.
    return 'broken';
  }
  const text = reading.foreign(mark);
  if (text === undefined) return reading.end;
  // Servers under load send nothing, whatever they announced.
  if (text === '') return 'broken';
  throw otherThanJson(response.status, text, secrets);
}

/** An answer whose data is refused. */
class Unreadable extends Error {}

/** A body, as far as it is read. */
class Reading {
  end: End = 'body';
  /** There was a part of an answer. */
  #isAnswer = false;
  #isStream = false;
  #isJson = false;
  /** An error or words since then, which are the reason if nothing follows. */
  #reason: unknown;
  #text = '';

  constructor(private readonly answer: Answer) {}

  /** `true` if nothing more is to be read. */
  take(part: BodyPart): boolean {
    if (part.kind === 'event') {
      this.#isStream = true;
      return this.#addEvent(part.data.trim(), part.name);
    }
    if (part.kind === 'json') {
      const isComplete = this.#addAll(part.value);
      if (this.#isAnswer) this.end = 'said';
      return isComplete;
    }
    if (part.kind === 'torn') {
      this.end = 'broken';
      return true;
    }
    if (this.#isStream) this.#addWords(part.text.trim());
    else this.#text = part.text;
    return false;
  }

  /** The text of a body that is neither JSON nor a stream. Rejects if the body says what is wrong. */
  foreign(mark: string): string | undefined {
    const isDone = this.answer.isSaid || this.end === 'broken';
    if (this.#reason !== undefined && !isDone && (!this.#isAnswer || isFault(this.#reason))) throw reported(this.#reason);
    if (this.#isAnswer || this.#isStream || this.end === 'broken') return undefined;
    if (this.#isJson) throw new Error(`the model's server answered without \`${mark}\`; is its address right?`);
    return this.#text.trim();
  }

  #addEvent(data: string, name: string | undefined): boolean {
    if (isEndMark(data, name)) {
      this.end = 'said';
      return true;
    }
    const found = parsed(data);
    if (found && typeof found.value !== 'string') return this.#addAll(found.value, name);
    // Half a value: the stream was cut. `[` may begin words.
    if (!found && /^(\{|\[(?![a-z]))/i.test(data)) {
      this.end = 'broken';
      return true;
    }
    const words = String(found?.value ?? data);
    if (isEndMark(words, undefined)) return this.#addEvent(words, 'end');
    if (name === 'error') throw reported(words);
    this.#addWords(words);
    return false;
  }

  #addWords(words: string): void {
    if (words !== '' && !HEARTBEAT.test(words)) this.#reason = words;
  }

  /** Some servers send a list. */
  #addAll(value: unknown, name?: string): boolean {
    this.#isJson = true;
    return (Array.isArray(value) ? value : [value]).some((each) => this.#add(each, name));
  }

  #add(value: unknown, name: string | undefined): boolean {
    const error = errorIn(value, name);
    if (error !== undefined) throw reported(error);
    const isComplete = this.#added(value, name);
    if (isComplete === undefined) {
      if (wordsOf(value) !== undefined) this.#reason = value;
      return false;
    }
    this.#isAnswer = true;
    this.#reason = undefined;
    if (isComplete) this.end = 'said';
    return isComplete;
  }

  #added(value: unknown, name: string | undefined): boolean | undefined {
    try {
      return this.answer.add(value, name);
    } catch (cause) {
      throw cause instanceof ServerError ? cause : new Unreadable('unreadable', { cause });
    }
  }
}

/** What servers write to keep a connection open, where a comment would do. */
export const HEARTBEAT = /^\W*((ping|pong|heart ?beat|keep[- _]?alive|alive|(openrouter )?processing|waiting|pending|queued|connected|noop|ok)\W*)*$|^:/i;

/** Whether words after a part of an answer say that it failed. */
function isFault(reason: unknown): boolean {
  const words = wordsOf(reason) ?? '';
  return statusOfWords(words) !== undefined || /error|fail|abort|reset|refused|denied|disconnect|cannot|can't|unable|exceed|exhaust|invalid|out of memory|too (many|long|large)|busy|crash|broken|terminated|interrupted/i.test(words);
}

/** The error of a body that is a page or another text. A short one may say what is wrong. */
function otherThanJson(status: number, text: string, secrets: Secrets): Error {
  const clean = secrets.redact(text);
  const said = text.startsWith('<') || text.length > 1000 ? undefined : statusOfWords(text);
  if (said !== undefined) return new ServerError(`the model's server failed: ${clean}`, said);
  const message = `the model's server answered ${status} with something other than JSON: check its address. The answer starts with: ${clean.slice(0, 200)}`;
  // The cause has the start of the text, which may be a part of a secret.
  return new Error(message, clean === text ? { cause: parsedError(text) } : {});
}

function parsedError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return cause;
  }
}
