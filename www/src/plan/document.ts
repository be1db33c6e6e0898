/** The plan's file and its text in the editor. All functions are pure. */

export const PLAN = '.ralph/plan.tsx';

export interface PlanDocument {
  /** The content of the file when it was last read; `null` if there is no file. */
  saved: string | null;
  /** The text in the editor. */
  text: string;
  /** The new content of the file, if it changed while the editor had unsaved changes. */
  theirs?: { text: string | null };
}

export const noPlan: PlanDocument = { saved: null, text: '' };

export const isChanged = ({ saved, text }: PlanDocument): boolean => text !== (saved ?? '');

export const edited = (document: PlanDocument, text: string): PlanDocument => ({ ...document, text });

/** After reading the file. The editor follows it, unless the user has unsaved changes. */
export function reloaded(document: PlanDocument, file: string | null): PlanDocument {
  const { saved, text } = document;
  if (file === saved) return { saved, text };
  if (!isChanged(document) || text === file) return { saved: file, text: file ?? '' };
  return { saved, text, theirs: { text: file } };
}

/** Replaces the editor's text by the file. */
export const takeTheirs = ({ saved, theirs }: PlanDocument): PlanDocument => opened(theirs ? theirs.text : saved);

/** Keeps the editor's text; the next save overwrites the file. */
export const keepMine = ({ saved, text, theirs }: PlanDocument): PlanDocument => ({ saved: theirs ? theirs.text : saved, text });

export const opened = (file: string | null): PlanDocument => ({ saved: file, text: file ?? '' });

/** A valid plan to start with. */
export const FIRST_PLAN = `export default (
  <App name="My app" description="What it is for">
    <Theme mood="minimal" />
    <Screen name="home" layout="stack">
      <Section gumdrop="hero" />
      <Section gumdrop="features" />
      <Section gumdrop="cta" />
    </Screen>
  </App>
);
`;
