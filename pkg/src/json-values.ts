// The arguments of a call are a JSON object as text, which arrives in pieces. Servers write it in other ways, too: twice, as JSON in a
// JSON string, with raw line breaks in its strings.

/** A JSON value that arrives in pieces. Only its brackets and quotes are read, so that raw line breaks do no harm. */
export class JsonValue {
  text = '';
  #first = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isClosed = false;

  /** The value is closed, and nothing follows it. What is neither an object, a list nor a string is never closed. */
  get isWhole(): boolean {
    return this.#isClosed;
  }

  /** The value has begun and is not closed. */
  get isOpen(): boolean {
    return !this.#isClosed && ['{', '[', '"'].includes(this.#first);
  }

  get isEmptyObject(): boolean {
    return this.#isClosed && this.text.length < 100 && /^\s*\{\s*\}\s*$/.test(this.text);
  }

  /** Takes a piece up to the end of the value. Returns the rest of the piece, if another object begins there. */
  push(piece: string): string {
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charAt(at);
      if (this.#isInString) this.#readInString(character);
      else if (this.#isClosed && character === '{') {
        this.text += piece.slice(0, at);
        return piece.slice(at);
      } else if (!isSpace(character)) this.#read(character);
    }
    this.text += piece;
    return '';
  }

  #readInString(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') {
      this.#isInString = false;
      this.#isClosed = this.#depth === 0;
    }
  }

  #read(character: string): void {
    // What follows a value and is no object makes it unreadable.
    this.#isClosed = false;
    this.#first ||= character;
    if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') {
      this.#depth -= 1;
      this.#isClosed = this.#depth === 0;
    }
  }
}

/** The value with a piece of its text. Another object takes the place of the one before, unless it is empty. */
export function extended(value: JsonValue, piece: string): JsonValue {
  let [current, rest] = [value, value.push(piece)];
  while (rest !== '') {
    const next = new JsonValue();
    rest = next.push(rest);
    if (!next.isEmptyObject || current.isEmptyObject) current = next;
  }
  return current;
}

/** A piece of arguments as text. Some servers send an object. */
export function textOfArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/**
 * The text of the object that arguments are: as it came, without an empty object before or after it, without its repetition, out of a
 * JSON string, with line breaks in its strings escaped. No text is an empty object, and what cannot be read stays as it came.
 */
export function argumentsText(text: string): string {
  if (text.trim() === '') return '{}';
  const found = objectIn(text) ?? objectIn(withEscapes(text));
  if (found !== undefined) return found;
  const [first, ...others] = distinct(valuesIn(text));
  return first !== undefined && others.length === 0 && first !== text ? argumentsText(first) : text;
}

/** Whether two texts of arguments have the same object. */
export function sameArguments(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** The text of the object, which may be in a JSON string. */
function objectIn(text: string): string | undefined {
  const value = parsed(text);
  if (isObject(value)) return text;
  // Some models write it for no arguments.
  if (value === null) return '{}';
  const inner = typeof value === 'string' ? withEscapes(value) : '';
  return isObject(parsed(inner)) ? inner : undefined;
}

function valuesIn(text: string): string[] {
  const values: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const value = new JsonValue();
    rest = value.push(rest);
    values.push(value.text);
  }
  return values;
}

/** Without empty objects beside others, and without repetitions. */
function distinct(values: string[]): string[] {
  const full = values.filter((text) => canonical(text) !== '{}');
  return [...new Map((full.length > 0 ? full : values.slice(0, 1)).map((text) => [canonical(text), text])).values()];
}

function canonical(text: string): string {
  const value = parsed(objectIn(text) ?? objectIn(withEscapes(text)) ?? '');
  return value === undefined ? text.trim() : JSON.stringify(value);
}

/** JSON has no control characters in its strings. */
function withEscapes(text: string): string {
  const pieces: string[] = [];
  let [isInString, start] = [false, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (character === '\\' && isInString) at += 1;
    else if (isInString && character < ' ') {
      pieces.push(text.slice(start, at), JSON.stringify(character).slice(1, -1));
      start = at + 1;
    }
  }
  return pieces.join('') + text.slice(start);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}
