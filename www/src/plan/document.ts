/** The plan's file and what the user makes of it in the editor. Pure: every function gives a new value. */

export const PLAN = '.ralph/plan.tsx';

export interface PlanDocument {
  /** What the file held when it was last looked at; `null` where there is none. */
  saved: string | null;
  /** What the editor holds. */
  text: string;
  /** The file was changed by somebody else while the editor held changes of its own: what it holds now. */
  theirs?: { text: string | null };
}

export const noPlan: PlanDocument = { saved: null, text: '' };

export const isChanged = ({ saved, text }: PlanDocument): boolean => text !== (saved ?? '');

export const edited = (document: PlanDocument, text: string): PlanDocument => ({ ...document, text });

/** After a look at the file. The editor follows it, unless that would cost the user's own changes. */
export function looked(document: PlanDocument, file: string | null): PlanDocument {
  const { saved, text } = document;
  if (file === saved) return { saved, text };
  if (!isChanged(document) || text === file) return { saved: file, text: file ?? '' };
  return { saved, text, theirs: { text: file } };
}

/** The editor takes what the file holds. */
export const takeTheirs = ({ saved, theirs }: PlanDocument): PlanDocument => opened(theirs ? theirs.text : saved);

/** The editor keeps its text, which the next save writes over the file. */
export const keepMine = ({ saved, text, theirs }: PlanDocument): PlanDocument => ({ saved: theirs ? theirs.text : saved, text });

export const opened = (file: string | null): PlanDocument => ({ saved: file, text: file ?? '' });

/** What somebody who writes a plan by hand begins with: it is valid. */
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
