/** The format of the stories. A story is data; the player (`player.ts`) plays each of them. */
import type { AgentRole, RunEvent } from 'loopgate';
import type { ProjectFiles } from '../../project/template';
import type { StoryStudio } from '../../specs/draft';

export interface Story {
  id: string;
  title: string;
  /** What the user sees in it, as one line. */
  point: string;
  /** The time that it takes. */
  length: string;
  /** What to watch for, in order. */
  watch: readonly Step[];
  /** The project at the start. */
  files: ProjectFiles;
  /** A task that runs before the story, so that its plan, theme and versions are real. */
  opening?: Part;
  /** What it can play. The user starts with the first part; the others are suggestions. */
  parts: readonly [Part, ...Part[]];
  /** The idea that the studio starts with, with its questions and its spec. */
  studio?: StoryStudio;
}

export interface Step {
  text: string;
  /** The mistake that the story is about: the first line of a run like this. */
  caught?: Caught;
}

/** `has`: words of the line, of the text behind it, or of its call. */
export interface Caught {
  type: RunEvent['type'];
  has?: string;
}

/** Something that the user runs, and how the agents act. */
export interface Part {
  work: { kind: 'task'; message: string } | { kind: 'spec'; path: string } | { kind: 'chunks'; spec: string };
  /** It can be played while the files of the project are like this. Here, places are paths. */
  playable?: readonly Condition[];
  /** The first scene whose conditions hold is one iteration of an agent. */
  scenes: readonly Scene[];
}

export interface Scene {
  role?: AgentRole;
  /** The id of the tool in the configuration that answers. */
  tool?: string;
  phase?: 'plan' | 'build' | 'review';
  when?: readonly Condition[];
  turns: readonly Turn[];
}

/** An answer of the model. A turn without calls ends the iteration. */
export interface Turn {
  say: string;
  calls?: readonly Call[];
  when?: readonly Condition[];
}

export interface Call {
  name: string;
  args: Readonly<Record<string, unknown>>;
  when?: readonly Condition[];
}

/**
 * A text that a place has or lacks. A place is the title of a section of the prompt, `prompt` for all of it, or `read` with a path for the
 * file as the agent read it in this iteration. A place that is not there is empty.
 */
export interface Condition {
  in: string;
  has?: string;
  lacks?: string;
}

/** A text, or its pieces: some of them are in it on a condition. `{{task}}` is the number of the task. */
export type Text = string | ReadonlyArray<string | { when: readonly Condition[]; text: string }>;

export const TASK = '.ralph/task.md';
export const PLAN = '.ralph/plan.tsx';
export const SUMMARY = '.ralph/summary.md';
export const FEEDBACK = '.ralph/feedback.md';
/** The section with the paths of the project's files. */
export const LISTING = "the project's files";

export const has = (place: string, text: string): Condition => ({ in: place, has: text });
export const lacks = (place: string, text: string): Condition => ({ in: place, lacks: text });
/** The file that the agent read in this iteration. */
export const asRead = (path: string): string => `read ${path}`;
/** A check refused a claim. */
export const FAILED_CHECK: Caught = { type: 'gate-checked', has: 'Check failed' };

export const failed = (check: string): Condition => has(FEEDBACK, `FAIL [${check}]`);

export const read = (path: string): Call => ({ name: 'read_file', args: { path } });
export const readIfThere = (path: string): Call => ({ ...read(path), when: [has(LISTING, path)] });
export const write = (path: string, content: Text): Call => ({ name: 'write_file', args: { path, content } });
export const edit = (path: string, oldText: string, newText: string): Call => ({ name: 'edit_file', args: { path, old_text: oldText, new_text: newText } });
export const shell = (command: string): Call => ({ name: 'shell', args: { command } });
export const complete = (args: Call['args'] = {}): Call => ({ name: 'complete_task', args });
export const done = (say = 'The task is done.'): Turn => ({ say, calls: [complete()] });

/** The files of a folder by their path below it, from `import.meta.glob`. A file named `.gitignore` or `.handoff` would have an effect in this repository. */
export function textsOf(sources: Record<string, string>, folder: string): (path: string) => string {
  return (path) => {
    const text = sources[`./${folder}/${path}`];
    if (text === undefined) throw new Error(`The story has no file ${folder}/${path}`);
    return text;
  };
}
