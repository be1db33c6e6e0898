/** Builds the project in this tab: Babel's parser finds syntax errors, Sucrase removes types and JSX, Rollup bundles. */
import type { BuildMessage } from 'loopgate';
import type { Plugin, RollupLog } from '@rollup/browser';
import { resolveImport } from './resolve';
import { syntaxErrors } from './syntax';

const ENTRY = 'src/main.tsx';
/** Import cycles work, and directives such as 'use client' have no effect here. */
const HARMLESS = new Set<string | undefined>(['CIRCULAR_DEPENDENCY', 'MODULE_LEVEL_DIRECTIVE']);

export interface Bundle {
  /** One classic script; absent if there are errors. */
  code?: string;
  css: string;
  errors: BuildMessage[];
  warnings: BuildMessage[];
}

/** `sources` are the project's files by relative path. */
export async function bundle(sources: ReadonlyMap<string, string>, signal?: AbortSignal): Promise<Bundle> {
  const { rollup } = await import('@rollup/browser');
  const found: Findings = { css: [], errors: [] };
  const warnings: BuildMessage[] = [];
  try {
    const linked = await rollup({
      input: ENTRY,
      plugins: [projectFiles(sources, found, signal)],
      onwarn: (warning) => void (HARMLESS.has(warning.code) || warnings.push(message(warning))),
    });
    const { output } = await linked.generate({ format: 'iife', globals: (id) => `previewModules[${JSON.stringify(id)}]` });
    await linked.close();
    if (!found.errors.length) return { code: output[0].code, css: found.css.join('\n'), errors: [], warnings };
  } catch (error) {
    signal?.throwIfAborted();
    // A syntax error or a missing file also fails the bundling, with a less useful message.
    if (!found.errors.length) found.errors.push(message(error as RollupLog));
  }
  return { css: '', errors: found.errors, warnings };
}

/** Collected from the modules during the build. */
interface Findings {
  css: string[];
  errors: BuildMessage[];
}

/** Replaces a module with errors, so that the errors of other modules are found as well. */
const EMPTY = { code: '', map: null };

function projectFiles(sources: ReadonlyMap<string, string>, found: Findings, signal?: AbortSignal): Plugin {
  return {
    name: 'project-files',
    resolveId(source, importer) {
      signal?.throwIfAborted();
      const resolved = resolveImport(source, importer, (path) => sources.has(path));
      if ('external' in resolved) return { id: resolved.external, external: true };
      if ('file' in resolved) return resolved.file;
      found.errors.push({ message: resolved.error, ...(importer && { file: importer, ...whereImported(sources.get(importer) ?? '', source) }) });
      return { id: source, external: true };
    },
    load: (id) => sources.get(id) ?? null,
    async transform(code, id) {
      const errors = await syntaxErrors(id, code);
      found.errors.push(...errors);
      if (errors.length) return EMPTY;
      switch (id.split('.').at(-1)) {
        case 'css':
          found.css.push(code);
          return EMPTY;
        case 'json':
          return { code: `export default ${code};`, map: null };
        case 'svg':
          return { code: `export default ${JSON.stringify(`data:image/svg+xml,${encodeURIComponent(code)}`)};`, map: null };
        default:
          return compile(code, id);
      }
    },
  };
}

async function compile(code: string, id: string) {
  const { transform } = await import('sucrase');
  const types = /\.tsx?$/.test(id) ? (['typescript'] as const) : [];
  const elements = id.endsWith('.ts') ? [] : (['jsx'] as const);
  const result = transform(code, {
    filePath: id,
    transforms: [...types, ...elements],
    jsxRuntime: 'automatic',
    production: true,
    sourceMapOptions: { compiledFilename: id },
  });
  return { code: result.code, map: result.sourceMap as never };
}

/** The position of an import; 1-based. */
function whereImported(text: string, source: string): { line: number; column: number } | undefined {
  const index = [`'${source}'`, `"${source}"`].map((quoted) => text.indexOf(quoted)).find((at) => at >= 0);
  if (index === undefined) return undefined;
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Rollup counts columns from 0. */
function message(log: RollupLog): BuildMessage {
  const file = log.loc?.file ?? log.id;
  const text = log.message.replace(/^\[plugin [^\]]+\] /, '').replace(/^\S+ \(\d+:\d+\): /, '');
  return { message: text, ...(file && { file }), ...(log.loc && { line: log.loc.line, column: log.loc.column + 1 }) };
}
