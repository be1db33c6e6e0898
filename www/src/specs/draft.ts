/** A spec that the user writes in the studio, from the idea to the steps. Pure. */
import type { Chunk } from 'loopgate';
import { capital } from '../run/describe';

export const STAGES = ['idea', 'questions', 'review', 'steps'] as const;
export type Stage = (typeof STAGES)[number];

export interface StudioQuestion {
  text: string;
  options: string[];
}

/** What a model, or the script, makes of an idea and the answers. */
export interface Outline {
  goal: string;
  /** `answers`: the numbers of the questions that led to the requirement, from 1. */
  requirements: Array<{ text: string; answers: number[] }>;
  outOfScope: string[];
}

/** What a story brings for the studio, because the script does not understand an idea. */
export interface StoryStudio {
  idea: string;
  title: string;
  questions: StudioQuestion[];
  goal: string;
  outOfScope: string[];
  requirements: StoryRequirement[];
}

/** What the answer to a question leads to. */
interface StoryRequirement {
  /** The number of the question; 1-based. */
  question: number;
  text: string;
  /** What certain answers lead to instead. `null`: the requirement is out of scope, as `outOfScope` names it. */
  instead?: Record<string, string | null>;
  outOfScope?: string;
}

/** An empty answer leaves the decision to the writer. */
export function storyOutline({ goal, requirements, outOfScope }: StoryStudio, answers: readonly string[]): Outline {
  const chosen = requirements.map(({ question, text, instead = {}, outOfScope }) => {
    const answer = answers[question - 1] ?? '';
    return { question, outOfScope, text: Object.hasOwn(instead, answer) ? instead[answer]! : text };
  });
  return {
    goal,
    requirements: chosen.flatMap(({ question, text }) => (text === null ? [] : [{ text, answers: [question] }])),
    outOfScope: [...outOfScope, ...chosen.flatMap(({ text, outOfScope }) => (text === null && outOfScope ? [outOfScope] : []))],
  };
}

/** The content of `draft.json`. */
export interface Draft {
  stage: Stage;
  /** `go`: one file below `specs/`. `steps`: a folder below `.handoff/specs/`. */
  kind: 'go' | 'steps';
  idea: string;
  title: string;
  /** The name of the file or folder; empty: from the title. */
  name: string;
  questions: StudioQuestion[] | null;
  answers: string[];
  /** The Markdown of the spec. */
  text: string;
  /** `text` as the model wrote it, before the user's edits. */
  written: string;
  /** For R1, R2, …: the numbers of the questions that led to it. */
  sources: number[][];
  steps: Chunk[] | null;
  /** The proposal of the planner that `steps` started as. */
  proposed: Chunk[] | null;
  /** The step that was removed last, until it is put back. */
  removed: RemovedStep | null;
  /** The question that the proposal waits with. */
  question: string | null;
}

export interface RemovedStep {
  step: Chunk;
  at: number;
  /** The ids of the steps that came after it. */
  neededBy: string[];
}

export const newDraft = (change: Partial<Draft> = {}): Draft => ({ stage: 'idea', kind: 'steps', idea: '', title: '', name: '', questions: null, answers: [], text: '', written: '', sources: [], steps: null, proposed: null, removed: null, question: null, ...change });

/** A draft from its file; `null` for a text that is none. Missing fields get their defaults. */
export function draftFrom(text: string | null): Draft | null {
  try {
    const value = JSON.parse(text ?? '') as Partial<Draft> | null;
    return value?.stage && STAGES.includes(value.stage) ? newDraft(value) : null;
  } catch {
    return null;
  }
}

/** The first words of an idea, as a title. */
export function titleOf(idea: string): string {
  const [first = ''] = idea.trim().split(/[\n.!?:;]/, 1);
  return capital(first.split(/\s+/).slice(0, 6).join(' '));
}

/** A name for files: small letters, digits and hyphens, not taken. */
export function slugOf(title: string, taken: readonly string[] = [], fallback = 'spec'): string {
  const base = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40).replace(/-$/, '') || fallback;
  for (let number = 1; ; number++) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(slug)) return slug;
  }
}

/** The name of the file or the folder that a draft becomes. Nothing of another spec has it. */
export function nameFor({ kind, name, title, idea }: Pick<Draft, 'kind' | 'name' | 'title' | 'idea'>, taken: readonly string[]): string {
  const wanted = slugOf(name.trim() || title || titleOf(idea), taken);
  if (kind === 'steps' || /^\d{4}-/.test(wanted)) return wanted;
  const numbers = taken.flatMap((other) => Number(/^\d{4}(?=-)/.exec(other)?.[0] ?? 0));
  return `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${wanted}`;
}

/** The Markdown of a spec. The numbers of the requirements stay when the user edits the text. */
export function specText(title: string, { goal, requirements, outOfScope }: Outline): string {
  const list = requirements.map(({ text }, at) => `- R${at + 1}: ${text}`);
  const out = outOfScope.length ? ['', '## Out of scope', ...outOfScope.map((text) => `- ${text}`)] : [];
  return [`# ${title}`, '', goal, '', '## Requirements', ...list, ...out, ''].join('\n');
}

/** The section about what is not part of the spec, up to the next heading. */
const OUT_OF_SCOPE = /^#+[ \t]+out of scope\b.*\n(?:(?!#).*\n?)*/gim;

/** The numbered requirements of a spec's text. */
export const requirementsIn = (text: string): Array<{ id: string; text: string }> =>
  [...text.replace(OUT_OF_SCOPE, '').matchAll(/^\s*[-*]\s+(R\d+)\s*[:.]\s*(\S.*)$/gm)].map(([, id = '', text = '']) => ({ id, text }));

/** The requirements that a step names. */
export const requirementsOf = ({ title, description }: Pick<Chunk, 'title' | 'description'>): string[] => [...new Set(`${title} ${description}`.match(/\bR\d+\b/g))];

/** The requirements of a text that no step names. */
export function unnamedIn(text: string, steps: ReadonlyArray<Pick<Chunk, 'title' | 'description'>>): string[] {
  const named = new Set(steps.flatMap(requirementsOf));
  return requirementsIn(text).flatMap(({ id }) => (named.has(id) ? [] : [id]));
}

/** The requirements that an answer led to. */
export const ledTo = (sources: Draft['sources'], question: number): string[] => sources.flatMap((numbers, at) => (numbers.includes(question) ? [`R${at + 1}`] : []));
