/**
 * `virtual:preview-runtime`: React as one script, in a string.
 *
 * The preview's frame is sandboxed and has no origin, so it cannot load anything from the server. React is inlined instead.
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
    // The production build of React has error numbers instead of messages.
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
