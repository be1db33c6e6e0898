export interface GateReport {
  gate: string;
  verdict: 'pass' | 'warn' | 'fail' | 'error';
  feedback?: string;
  /** The gate does not apply to this project. The verdict is `pass`, and `feedback` has the reason. */
  notApplicable?: boolean;
  tree?: string;
  durationMs: number;
  fix?: { file: string; content: string; description: string };
}

/** A requirement of a task, and the evidence about it. */
export interface Requirement {
  /** `R1`, in the order of the task. */
  id: string;
  /** `ADD`, `MODIFY`, `FIX` or `REMOVE`. */
  marker: string;
  /** The user's words. */
  text: string;
  /**
   * `checked`: a count, a structure, or a stated value in the element or rule that it names agrees. `reviewed`: a reviewer was asked about
   * it by name and ships the work. `mentioned`: a changed line names its words. `open`: nothing covers it. `missing`: it is refuted.
   */
  verdict: 'checked' | 'reviewed' | 'mentioned' | 'open' | 'missing';
  /** The most telling first. `by` is a gate or `review`, `line` is 1-based, and `start` and `end` are the columns of the hit in the line, from 0. */
  evidence: Array<{ by: string; text: string; file?: string; line?: number; start?: number; end?: number }>;
}

export interface VerificationResult {
  step: string;
  command: string;
  outcome: 'passed' | 'failed' | 'timed-out' | 'skipped' | 'error';
  required: boolean;
  exitCode?: number;
  output: string;
  truncated: boolean;
  durationMs: number;
}

export interface ScopeReport {
  /** The worst verdict; `pass` without markers. */
  overall: 'pass' | 'warn' | 'fail';
  /** In plan order. */
  markers: Array<{
    /** The gumdrop of its section, or the name of its screen. */
    section: string;
    /** `ADD`, `MODIFY`, `FIX`, `REMOVE`, `PRESERVED` or `NO CHANGES`. */
    marker: string;
    verdict: 'pass' | 'warn' | 'fail';
    /** Expected and found items, the place, and what to do. */
    reason: string;
  }>;
}
