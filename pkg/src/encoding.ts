import { kindOf } from './arguments.js';
import { bare, property } from './own.js';

/** The encoding that the options of a `readFile` or `writeFile` ask for; `undefined` where they mean bytes. Anything but UTF-8 is refused. */
export function encodingOf(options: unknown): 'utf8' | undefined {
  const encoding = typeof options === 'string' ? options : property(options, 'encoding');
  if (encoding === undefined || encoding === null) return undefined;
  if (/^utf-?8$/i.test(encoding)) return 'utf8';
  throw Object.assign(new Error(`the encoding ${encoding} is not supported: read bytes, or utf8`), { code: 'ENOSYS' });
}

/** The text of a file, a leading byte order mark included. */
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', bare({ ignoreBOM: true })).decode(bytes);

/** The bytes that a `writeFile` is to put in the place of the file. Options that mean anything else are refused. */
export function bytesToWrite(path: string, data: Uint8Array | string, options: unknown): Uint8Array {
  encodingOf(options);
  const flag = property(options, 'flag') ?? 'w';
  if (flag !== 'w') throw Object.assign(new Error(`the flag ${flag} is not supported: ${path} is written whole`), { code: 'ENOSYS' });
  const bytes = bytesOf(data);
  if (!bytes) throw invalid(`the data of ${path} must be a string or bytes, not ${kindOf(data)}`);
  return bytes;
}

/** The bytes of whatever `fs.promises` takes for data; nothing for anything else, which must not pass for an empty file. */
function bytesOf(data: unknown): Uint8Array | undefined {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Object.prototype.toString.call(data) === '[object ArrayBuffer]' ? new Uint8Array(data as ArrayBuffer) : undefined;
}

/** A path as `fs.promises` takes it. */
export function pathOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalid(`a path must be a string, not ${kindOf(value)}`);
}

/** The error that Node's file system has for an argument of the wrong kind. */
function invalid(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}
