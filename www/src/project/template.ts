/** The React project of a new user. */
export type ProjectFiles = ReadonlyArray<readonly [path: string, text: string]>;

const sources = import.meta.glob<string>('./template/**/*', { query: '?raw', import: 'default', eager: true });

export const template: ProjectFiles = Object.entries(sources).map(
  // A file named `.gitignore` would have an effect in this repository.
  ([path, text]) => [path.replace('./template/', '').replace(/^gitignore$/, '.gitignore'), text],
);
