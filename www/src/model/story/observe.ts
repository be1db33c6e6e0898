/**
 * Reads the state of the project from the request. A scripted agent has no memory across iterations: the prompt has the task and
 * the agent's notes, and tool results have the rest.
 */
import type { AgentRole, ChatMessage } from 'loopgate';

export interface Observation {
  role: AgentRole;
  /** The id of the tool in the configuration that the request is for; empty without one. */
  tool: string;
  phase: string;
  /** The complete prompt. */
  prompt: string;
  /** The files of the harness and the agent in the prompt; empty if absent. */
  task: string;
  plan: string;
  feedback: string;
  summary: string;
  /** A section of the prompt by its title; empty if absent. */
  section(title: string): string;
  /** The paths of the project's files, one per line. */
  listing: string;
  /** The result of the first `read_file` of a path in this iteration; empty without one. */
  source(path: string): string;
  /** Turns so far in this iteration. */
  turns: number;
}

export function observe(messages: ChatMessage[], role: AgentRole = 'builder', tool = ''): Observation {
  const prompt = messages.find((message) => message.role === 'user')?.content ?? '';
  const answers = answersByPath(messages);
  return {
    role,
    tool,
    prompt,
    phase: /^Phase: (\w+)/.exec(prompt)?.[1] ?? '',
    task: section(prompt, '.ralph/task.md'),
    plan: section(prompt, '.ralph/plan.tsx'),
    feedback: section(prompt, '.ralph/feedback.md'),
    summary: section(prompt, '.ralph/summary.md'),
    section: (title) => section(prompt, title),
    listing: section(prompt, "the project's files"),
    source: (path) => answers.get(path) ?? '',
    turns: messages.filter((message) => message.role === 'assistant').length,
  };
}

/** The number that the harness gave the task. */
export const taskNumber = (task: string): number => Number(/^Counter:\s*(\d+)/m.exec(task)?.[1] ?? 1);

/** The markers that the feedback on a refused plan asks for. */
export const owedMarkers = (feedback: string): string[] => [...new Set([...feedback.matchAll(/\{\/\* (TASK-\d+ \[\w+\]: .*?) \*\/\}/g)].map((match) => match[1]!))];

/** The part of the prompt between the delimiters of a title. */
function section(prompt: string, title: string): string {
  const name = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\[\\S+ begin: ${name}\\]\\n([\\s\\S]*?)^\\[\\S+ end: ${name}\\]`, 'm').exec(prompt)?.[1] ?? '';
}

/** The first result of `read_file`, by path. */
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
