export interface StructuredTask {
  type: 'fresh' | 'mutation' | 'bugfix' | 'needs-clarification';
  title: string;
  taskNumber: number;
  previousTag?: string;
  requirements: Array<{ marker: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE'; description: string; count?: number; existing?: number; span?: [number, number] }>;
  scope: { preserve: string[]; affectedFiles: string[] };
  rawMessage: string;
  questions?: string[];
  parsedBy: 'model' | 'rules';
}

/** What is known of the project when a message arrives. */
export interface TaskContext {
  planExists: boolean;
  planSections?: string[];
  lastSummary?: string;
  fileList?: string[];
  taskNumber?: number;
  previousTag?: string;
}
