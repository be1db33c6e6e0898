import { property } from './own.js';

/** An object of more bytes that inflates to more than so many times its file is refused: nobody writes such a file by hand. */
const BYTES_MAX = 256 * 1024 * 1024;
const TIMES_MAX = 100;

/** Zlib inflates to at most so many times its input. */
const ZLIB_MAX = 1_032;

/** Loose objects that are small files and inflate to more than a page's memory. isomorphic-git would inflate them whole. */
export class Bombs {
  readonly #found = new Set<string>();

  /** Looks at the file of a loose object, before the object is read. Only files that may inflate to so much are inflated, in pieces. */
  async look(oid: string, file: Uint8Array): Promise<void> {
    if (file.length * ZLIB_MAX <= BYTES_MAX || typeof property(globalThis, 'DecompressionStream') !== 'function') return;
    const reader = new Blob([file as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    let size = 0;
    // A damaged file is the reader's error.
    for (let part; (part = (await reader.read().catch(() => null))?.value) !== undefined; ) {
      size += part.length;
      if (size <= BYTES_MAX || size <= file.length * TIMES_MAX) continue;
      this.#found.add(oid);
      await reader.cancel().catch(() => {});
      return;
    }
  }

  refuse(oid: string): void {
    if (this.#found.has(oid)) throw new Error(`object ${oid} inflates to more than ${BYTES_MAX} bytes, over ${TIMES_MAX} times its file; remove it from the repository`);
  }
}
