import { property } from './own.js';

/** The core asks the function that a model has under this name for values that may not be published. */
const OF_MODEL = Symbol.for('loopgate.secrets');

/** A shorter value would occur in other texts by chance. The core has the same limit. */
const LENGTH = 8;

const REPLACEMENT = '[redacted]';

/** Headers whose values are ordinary texts elsewhere. The value of any other header may be a secret, whatever its name is. */
const ORDINARY_HEADER = /^(accept(-.*)?|content-.*|user-agent|(http-)?referer|origin|x-title|(anthropic|openai)-(version|beta))$/i;

/** What an adapter sends and may not publish. */
export class Secrets {
  /** Never published. */
  readonly #everywhere: string[] = [];
  /** Not in errors of the adapter. */
  readonly #inErrors: string[] = [];

  key(value: unknown): void {
    add(this.#everywhere, value);
  }

  headers(headers: unknown): void {
    for (const [name, value] of Object.entries(Object(headers))) {
      const list = ORDINARY_HEADER.test(name) ? this.#inErrors : this.#everywhere;
      add(list, value);
      // `Bearer KEY`
      if (typeof value === 'string') add(list, value.slice(value.indexOf(' ') + 1));
    }
  }

  /** User, password and query of an address, as it is written and decoded. */
  address(address: string): void {
    const credentials = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i.exec(address.trim())?.[1];
    const parts = credentials?.split(':') ?? [];
    const query = /\?([^#]*)/.exec(address)?.[1]?.split('&') ?? [];
    for (const part of [credentials, ...parts, ...query.map((pair) => pair.slice(pair.indexOf('=') + 1))]) {
      add(this.#everywhere, part);
      add(this.#everywhere, decoded(part));
    }
  }

  /** Gives the core the secrets of a model. `learn` is called before, and may add some. */
  attachTo<T extends object>(model: T, learn: () => void = () => {}): T {
    const value = () => {
      learn();
      return [...this.#everywhere];
    };
    return Object.defineProperty(model, OF_MODEL, { __proto__: null, value } as PropertyDescriptor);
  }

  /** The text without secrets. */
  redact(text: string): string {
    let clean = text;
    const forms = [...this.#everywhere, ...this.#inErrors].flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encoded(value)]);
    for (const form of forms.sort((a, b) => b.length - a.length)) clean = clean.replaceAll(form, REPLACEMENT);
    return clean;
  }

  /** The error without secrets: a new one without a cause if the error has any, wherever. */
  redactError(thrown: unknown): unknown {
    const found = texts(thrown);
    if (found && !found.some((text) => this.redact(text) !== text)) return thrown;
    const error = new Error(this.redact(String(property(thrown, 'message') ?? thrown)));
    for (const name of ['name', 'code', 'status', 'retryAfter'] as const) {
      const value: unknown = property(thrown, name);
      if (typeof value === 'string' || typeof value === 'number') Object.defineProperty(error, name, { value: typeof value === 'string' ? this.redact(value) : value, configurable: true });
    }
    return error;
  }
}

/** A value, and each of its lines: messages of errors escape or cut line breaks. */
function add(list: string[], value: unknown): void {
  if (typeof value !== 'string') return;
  for (const text of [value, ...value.split(/[\r\n]+/)]) {
    const trimmed = text.trim();
    if (trimmed.length >= LENGTH && !list.includes(trimmed)) list.push(trimmed);
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Half a surrogate pair has no encoded form. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How many objects of an error are looked at. */
const OBJECTS = 10_000;

/** What an object of the platform has and no own property shows. */
function inner(value: object): unknown[] {
  if (value instanceof Map || value instanceof Set || value instanceof Headers || value instanceof URLSearchParams) return [[...value].flat()];
  if (value instanceof Request || value instanceof Response) return [value.headers, value.url];
  return value instanceof URL ? [value.href] : [];
}

/** Every text in an error, because a client attaches requests, responses and causes of any shape; `null` if there are too many. */
function texts(thrown: unknown): string[] | null {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const waiting: unknown[] = [thrown];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') found.push(value);
    if (typeof value === 'symbol') found.push(value.description ?? '');
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    if (seen.add(value).size > OBJECTS) return null;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      found.push(new TextDecoder().decode(value));
      continue;
    }
    waiting.push(...inner(value));
    for (const name of Reflect.ownKeys(value)) {
      waiting.push(name);
      try {
        waiting.push((value as any)[name]);
      } catch {
        // A getter of the client.
      }
    }
  }
  return found;
}
