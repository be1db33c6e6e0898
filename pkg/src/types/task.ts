/** The state of the project before the message. */
export interface TaskContext {
  /** `.ralph/plan.tsx` exists. */
  planExists: boolean;
  /** The gumdrops of the plan's sections. */
  planSections?: string[];
  /** The summary of the last task. Its numbers ("8 drinks") are used as item counts. */
  lastSummary?: string;
  /** Relative to the project. */
  fileList?: string[];
  taskNumber?: number;
  previousTag?: string;
  /** Unanswered questions about an earlier message. The message answers them, so the task has both messages, and no question follows. */
  asked?: { message: string; questions: string[] };
}

export interface StructuredTask {
  type: 'fresh' | 'mutation' | 'bugfix' | 'needs-clarification';
  title: string;
  taskNumber: number;
  previousTag?: string;
  /**
   * `count` is the number of new items, `existing` the number of present ones. `span` is the position in the message: start
   * and end in UTF-16 code units, for `message.slice(...span)`.
   */
  requirements: Array<{ marker: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE'; description: string; count?: number; existing?: number; span?: [number, number] }>;
  scope: { preserve: string[]; affectedFiles: string[] };
  rawMessage: string;
  /** With `needs-clarification`. An open one alone, or some that can be answered with yes. */
  questions?: string[];
  parsedBy: 'model' | 'rules';
}
