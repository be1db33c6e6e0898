/**
 * The address of the wasm module, for `init`, as loaders for files give it: esbuild's `file`, webpack's `asset/resource`, Vite's `?url`.
 */
declare const address: string;
export default address;
