// `node:url` for memfs.
export const { URL } = globalThis;
