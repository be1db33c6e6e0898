/** Builds the project in this tab: Rollup links the modules, Sucrase takes out types and JSX. */
import type { BuildMessage } from 'loopgate';
import type { Plugin, RollupLog } from '@rollup/browser';
import { resolveImport } from './resolve';

const ENTRY = 'src/main.tsx';

export interface Bundle {
  /** One classic script; missing when there are errors. */
  code?: string;
  css: string;
  errors: BuildMessage[];
  warnings: BuildMessage[];
}

/** `sources` are the project's files by path, relative to it. */
export async function bundle(sources: ReadonlyMap<string, string>, signal?: AbortSignal): Promise<Bundle> {
  const { rollup } = await import('@rollup/browser');
  const css: string[] = [];
  const warnings: BuildMessage[] = [];
  try {
    const linked = await rollup({
      input: ENTRY,
      plugins: [projectFiles(sources, css, signal)],
      onwarn: (warning) => void warnings.push(message(warning)),
    });
    const { output } = await linked.generate({ format: 'iife', globals: (id) => `previewModules[${JSON.stringify(id)}]` });
    await linked.close();
    return { code: output[0].code, css: css.join('\n'), errors: [], warnings };
  } catch (error) {
    signal?.throwIfAborted();
    return { css: '', errors: [message(error as RollupLog)], warnings };
  }
}

function projectFiles(sources: ReadonlyMap<string, string>, css: string[], signal?: AbortSignal): Plugin {
  return {
    name: 'project-files',
    resolveId(source, importer) {
      signal?.throwIfAborted();
      const resolved = resolveImport(source, importer, (path) => sources.has(path));
      if ('external' in resolved) return { id: resolved.external, external: true };
      if ('file' in resolved) return resolved.file;
      const position = importer === undefined ? undefined : whereImported(sources.get(importer) ?? '', source);
      return this.error({ message: resolved.error, id: importer ?? ENTRY, ...(position && { loc: { file: importer!, ...position } }) });
    },
    load: (id) => sources.get(id) ?? null,
    async transform(code, id) {
      if (id.endsWith('.css')) {
        css.push(code);
        return { code: 'export default undefined;', map: null };
      }
      if (id.endsWith('.json')) return { code: `export default ${code};`, map: null };
      const { transform } = await import('sucrase');
      const result = transform(code, {
        filePath: id,
        transforms: /\.tsx?$/.test(id) ? ['typescript', 'jsx'] : ['jsx'],
        jsxRuntime: 'automatic',
        production: true,
        sourceMapOptions: { compiledFilename: id },
      });
      return { code: result.code, map: result.sourceMap as never };
    },
  };
}

function whereImported(text: string, source: string): { line: number; column: number } | undefined {
  const index = [`'${source}'`, `"${source}"`].map((quoted) => text.indexOf(quoted)).find((at) => at >= 0);
  if (index === undefined) return undefined;
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: before.at(-1)!.length };
}

/** Rollup counts columns from 0; Sucrase, in what Rollup passes on, from 1. */
function message(log: RollupLog): BuildMessage {
  const fromSucrase = (log.cause as { loc?: { line: number; column: number } } | undefined)?.loc;
  const file = log.loc?.file ?? log.id;
  const text = log.message
    .replace(/^\[plugin [^\]]+\] /, '')
    .replace(/^\S+ \(\d+:\d+\): /, '')
    .replace(/^Error transforming \S+: /, '')
    .replace(/ \(\d+:\d+\)$/, '');
  return {
    message: text,
    ...(file && { file }),
    ...(fromSucrase ?? (log.loc && { line: log.loc.line, column: log.loc.column + 1 })),
  };
}
