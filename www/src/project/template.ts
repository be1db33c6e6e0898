/** The React project that a new user starts from: paths and texts. */
/** Files of a project. */
export type ProjectFiles = ReadonlyArray<readonly [path: string, text: string]>;

const sources = import.meta.glob<string>('./template/**/*', { query: '?raw', import: 'default', eager: true });

export const template: ProjectFiles = Object.entries(sources).map(
  // A real `.gitignore` in the folder would hide files of this repository.
  ([path, text]) => [path.replace('./template/', '').replace(/^gitignore$/, '.gitignore'), text],
);
