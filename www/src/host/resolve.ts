/** Resolves imports of the project. Pure: `has` tests whether a file exists. */

/** The npm packages that a project can import: see `build/preview-runtime.entry.js`. */
const PACKAGES = ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client'];

const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.css', '.json', '/index.tsx', '/index.ts', '/index.js'];

type Resolved = { file: string } | { external: string } | { error: string };

/** `importer` is a path in the project, or undefined for the entry. */
export function resolveImport(source: string, importer: string | undefined, has: (path: string) => boolean): Resolved {
  if (PACKAGES.includes(source)) return { external: source };
  const path = projectPath(source, importer);
  if (path === null) {
    return { error: `"${source}" is not available: the only packages of this build are react and react-dom` };
  }
  const found = ENDINGS.map((ending) => path + ending).find(has);
  return found === undefined ? { error: `Cannot find "${source}"` } : { file: found };
}

/** `null` for an import that is not relative, absolute or under the alias `@/`. */
function projectPath(source: string, importer: string | undefined): string | null {
  if (importer === undefined) return source;
  if (source.startsWith('@/')) return `src/${source.slice(2)}`;
  if (source.startsWith('/')) return source.slice(1);
  if (!source.startsWith('.')) return null;
  const parts = importer.split('/').slice(0, -1);
  for (const part of source.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
