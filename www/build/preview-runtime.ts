/**
 * `virtual:preview-runtime`: React as one script, in a string.
 *
 * The preview runs in a sandboxed frame without an origin, which can load nothing from this page's
 * server. So React goes into the frame's document as text.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const ID = 'virtual:preview-runtime';
const ENTRY = fileURLToPath(new URL('./preview-runtime.entry.js', import.meta.url));

export function previewRuntime(): Plugin {
  let script: Promise<string> | undefined;
  return {
    name: 'preview-runtime',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      script ??= bundleReact();
      return `export default ${JSON.stringify(await script)};`;
    },
  };
}

async function bundleReact(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // React's development build names what went wrong; its production build gives numbers.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: ENTRY, formats: ['iife'], name: 'previewRuntime' },
    },
  });
  const output = Array.isArray(result) ? result[0] : result;
  if (!output || !('output' in output)) throw new Error('The preview runtime was not bundled');
  return output.output[0].code;
}
