export interface GateReport {
  gate: string;
  verdict: 'pass' | 'warn' | 'fail' | 'error';
  feedback?: string;
  tree?: string;
  durationMs: number;
  fix?: { file: string; content: string; description: string };
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
