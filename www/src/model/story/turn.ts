export interface Turn {
  say: string;
  /** Empty: the agent ends its iteration. */
  calls: Call[];
}

export interface Call {
  name: string;
  args: Record<string, unknown>;
}

export const PLAN = '.ralph/plan.tsx';
export const SUMMARY = '.ralph/summary.md';

export const read = (path: string): Call => ({ name: 'read_file', args: { path } });
export const write = (path: string, content: string): Call => ({ name: 'write_file', args: { path, content } });
export const edit = (path: string, oldText: string, newText: string): Call => ({ name: 'edit_file', args: { path, old_text: oldText, new_text: newText } });
export const shell = (command: string): Call => ({ name: 'shell', args: { command } });

export const COMPLETE: Call = { name: 'complete_task', args: {} };
export const done = (say = 'The task is done.'): Turn => ({ say, calls: [COMPLETE] });
export const NOTHING_MORE = done('There is nothing left to do.');
