/** The React project that a new user starts from: paths and texts. */
const sources = import.meta.glob<string>('./template/**/*', { query: '?raw', import: 'default', eager: true });

export const template: ReadonlyArray<readonly [path: string, text: string]> = Object.entries(sources).map(
  // A real `.gitignore` in the folder would hide files of this repository.
  ([path, text]) => [path.replace('./template/', '').replace(/^gitignore$/, '.gitignore'), text],
);
