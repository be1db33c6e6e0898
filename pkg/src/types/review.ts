export type ReviewTier = 'quick' | 'deep' | 'final';

export interface Review {
  decision: 'SHIP' | 'REVISE';
  /** At most 200. Of more, the most severe ones come first and the others are left out. */
  issues: ReviewIssue[];
  /** Counts all issues, those that are left out included. */
  summary: { total: number; high: number; medium: number; low: number };
}

export interface ReviewIssue {
  /** As the reviewer wrote it: it may be empty, or a path outside the project. */
  file: string;
  /** The first and the last line, from 1. */
  lines: [number, number] | null;
  type: 'security' | 'race_condition' | 'memory_leak' | 'error_handling' | 'logic_bug' | 'accessibility' | 'architecture';
  severity: 'high' | 'medium' | 'low';
  description: string;
  suggestion: string;
  /** What the next attempt must do. */
  agentPrompt: string;
}

/** `inconclusive`: the text has no readable verdict. It is neither a pass nor a rejection. */
export type ReviewVerdict =
  | { verdict: 'ship'; review: Review }
  | { verdict: 'revise'; review: Review }
  | { verdict: 'inconclusive'; reason: string };
