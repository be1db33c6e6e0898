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
export interface RequirementReport {
  /** `ADD`, `MODIFY`, `FIX` or `REMOVE`. */
  marker: string;
  /** The user's words. */
  description: string;
  /** `unchecked`: no gate judges it, and no changed line names what it names. */
  verdict: 'shown' | 'unchecked' | 'missing';
  /** What was judged, counted or changed, and where. `line` is 1-based. */
  evidence: Array<{ gate: string; text: string; file?: string; line?: number }>;
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
