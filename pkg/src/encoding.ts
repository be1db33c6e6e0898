/** The encoding that the options of a `readFile` or `writeFile` ask for; `undefined` where they mean bytes. Anything but UTF-8 is refused. */
export function encodingOf(options: unknown): 'utf8' | undefined {
  const encoding = typeof options === 'string' ? options : (options as { encoding?: string | null } | null | undefined)?.encoding;
  if (encoding === undefined || encoding === null) return undefined;
  if (/^utf-?8$/i.test(encoding)) return 'utf8';
  throw Object.assign(new Error(`the encoding ${encoding} is not supported: read bytes, or utf8`), { code: 'ENOSYS' });
}

/** The text of a file, a leading byte order mark included. */
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The bytes that a `writeFile` is to put in the place of the file. Options that mean anything else are refused. */
export function bytesToWrite(path: string, data: Uint8Array | string, options: unknown): Uint8Array {
  encodingOf(options);
  const flag = (options as { flag?: string } | null | undefined)?.flag ?? 'w';
  if (flag !== 'w') throw Object.assign(new Error(`the flag ${flag} is not supported: ${path} is written whole`), { code: 'ENOSYS' });
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw Object.assign(new TypeError(`what is written to ${path} must be a string or bytes, not ${data === null ? 'null' : typeof data}`), { code: 'ERR_INVALID_ARG_TYPE' });
}
