/**
 * What a scripted agent knows: nothing but its request. Every iteration starts without a memory; the
 * prompt holds the task and the agent's notes, and the tools show the rest.
 */
import type { ChatMessage } from 'loopgate';

/** The project as far as the agent has seen it. */
export interface Observation {
  /** Which phase the harness says it is. */
  phase: string;
  /** What the prompt shows of the harness's and the agent's own files; '' where there is none. */
  task: string;
  plan: string;
  feedback: string;
  summary: string;
  /** All files of the project, one a line. */
  listing: string;
  /** What a file of the project held when the agent read it first in this iteration; '' where it did not, or there is none. */
  source(path: string): string;
  /** The turns that the agent took in this iteration. */
  turns: number;
}

export function observe(messages: ChatMessage[]): Observation {
  const prompt = messages.find((message) => message.role === 'user')?.content ?? '';
  const answers = answersByPath(messages);
  return {
    phase: /^Phase: (\w+)/.exec(prompt)?.[1] ?? '',
    task: section(prompt, '.ralph/task.md'),
    plan: section(prompt, '.ralph/plan.tsx'),
    feedback: section(prompt, '.ralph/feedback.md'),
    summary: section(prompt, '.ralph/summary.md'),
    listing: section(prompt, "the project's files"),
    source: (path) => answers.get(path) ?? '',
    turns: messages.filter((message) => message.role === 'assistant').length,
  };
}

/** The number that the harness gave the task. */
export const taskNumber = (task: string): number => Number(/^Counter:\s*(\d+)/m.exec(task)?.[1] ?? 1);

/** The markers that a refused plan owes its task, as the feedback writes them. */
export const owedMarkers = (feedback: string): string[] => [...new Set([...feedback.matchAll(/\{\/\* (TASK-\d+ \[\w+\]: .*?) \*\/\}/g)].map((match) => match[1]!))];

/** What stands in the prompt between the marks of a title. */
function section(prompt: string, title: string): string {
  const name = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\[\\S+ begin: ${name}\\]\\n([\\s\\S]*?)^\\[\\S+ end: ${name}\\]`, 'm').exec(prompt)?.[1] ?? '';
}

/** What `read_file` answered first, by path. */
function answersByPath(messages: ChatMessage[]): Map<string, string> {
  const paths = new Map<string, string>();
  const answers = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const { id, function: called } of message.tool_calls ?? []) {
        if (called.name === 'read_file') paths.set(id, (JSON.parse(called.arguments) as { path: string }).path);
      }
    } else if (message.role === 'tool') {
      const path = paths.get(message.tool_call_id);
      if (path !== undefined && !answers.has(path)) answers.set(path, message.content);
    }
  }
  return answers;
}
