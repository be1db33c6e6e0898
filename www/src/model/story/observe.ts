/**
 * What the scripted agent knows: nothing but its request. Every iteration starts without a memory; the
 * prompt holds the task and the agent's notes, and the tools show the rest.
 */
import type { ChatMessage } from 'loopgate';

/** The project as far as the agent has seen it. What it has not read, or is not there, is ''. */
export interface Observation {
  /** Which phase the harness says it is. */
  phase: string;
  task: string;
  plan: string;
  feedback: string;
  summary: string;
  /** All files of the project, one a line. */
  listing: string;
  app: string;
  hero: string;
  /** The style sheet that holds the theme. */
  sheet: string;
  /** The turns that the agent took in this iteration. */
  turns: number;
}

export const APP = 'src/App.tsx';
export const HERO = 'src/sections/HeroSection.tsx';
export const SHEET = 'src/index.css';

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
    app: answers.get(APP) ?? '',
    hero: answers.get(HERO) ?? '',
    sheet: answers.get(SHEET) ?? '',
    turns: messages.filter((message) => message.role === 'assistant').length,
  };
}

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
