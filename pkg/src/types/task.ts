/** What is known of the project when a message arrives. */
export interface TaskContext {
  /** There is a `.ralph/plan.tsx`. */
  planExists: boolean;
  /** The gumdrops of the plan's sections. */
  planSections?: string[];
  /** What the last task did. Its numbers ("8 drinks") tell how many items are there. */
  lastSummary?: string;
  /** Relative to the project. */
  fileList?: string[];
  taskNumber?: number;
  previousTag?: string;
}

export interface StructuredTask {
  type: 'fresh' | 'mutation' | 'bugfix' | 'needs-clarification';
  title: string;
  taskNumber: number;
  previousTag?: string;
  /**
   * One for each concern. `count` is the number of new items, `existing` that of those that are there already. `span` is
   * where the message says so: start and end in UTF-16 code units, as `message.slice(...span)` takes them.
   */
  requirements: Array<{ marker: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE'; description: string; count?: number; existing?: number; span?: [number, number] }>;
  scope: { preserve: string[]; affectedFiles: string[] };
  rawMessage: string;
  /** With `needs-clarification`: each can be answered with yes. */
  questions?: string[];
  parsedBy: 'model' | 'rules';
}
