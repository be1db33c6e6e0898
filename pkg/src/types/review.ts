export type ReviewTier = 'quick' | 'deep' | 'final';

export interface Review {
  decision: 'SHIP' | 'REVISE';
  issues: ReviewIssue[];
  summary: { total: number; high: number; medium: number; low: number };
}

export interface ReviewIssue {
  file: string;
  lines: [number, number] | null;
  type: 'security' | 'race_condition' | 'memory_leak' | 'error_handling' | 'logic_bug' | 'accessibility' | 'architecture';
  severity: 'high' | 'medium' | 'low';
  description: string;
  suggestion: string;
  agentPrompt: string;
}
