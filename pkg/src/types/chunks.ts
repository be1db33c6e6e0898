import type { FileChange } from './snapshot.js';

/** An entry of `.handoff/specs/<id>/chunks.json`: a piece of a spec that is executed, reviewed and committed on its own. */
export interface Chunk {
  /** 1 to 64 letters, digits, `-`, `_` and `.`; also the name of its folder. */
  id: string;
  /** The first line of the commit message. */
  title: string;
  /** The instructions, step by step. */
  description: string;
  relevantFiles?: string[];
  /** The ids of the chunks that must be shipped first. */
  dependencies?: string[];
  /** 1 to 20 attempts; default: `defaults.maxIterations` of the configuration. */
  maxIterations?: number;
}

/** What a shipped chunk accomplished. The lists of files and exports come from its commit. */
export interface ChunkSummary {
  summary: string;
  filesCreated: string[];
  filesModified: string[];
  exportsAdded: string[];
  testsAdded: string[];
  verificationSteps: string[];
  /** The summarizer gave no usable answer: the text is made from the commit. */
  fallback?: boolean;
}

/** A chunk that is committed. */
export interface ShippedChunk {
  /** Identifies what the chunk asked for. A chunk that asks for something else runs again. */
  hash: string;
  commit: string;
  files: FileChange[];
  summary?: ChunkSummary;
}

/** What `Hooks.pullRequest` gets. `base` is the user's branch, or the commit that the chunks begin at. */
export interface PullRequestDraft {
  branch: string;
  base: string;
  title: string;
  body: string;
}
