/**
 * What the scripted agent knows: nothing but the conversation. Every iteration starts without a
 * memory, so it looks at the project through the tools first, and acts on what they answer.
 */
import type { ChatMessage } from 'loopgate';

export interface Call {
  name: string;
  args: Record<string, unknown>;
}

export interface Turn {
  say: string;
  calls: Call[];
}

/** The project as the tools showed it. A file that was not read, or is not there, is ''. */
export interface Observation {
  task: string;
  plan: string;
  feedback: string;
  phase: string;
  app: string;
  hero: string;
  summary: string;
  /** The listings of `.ralph` and `src`. */
  listing: string;
}

const read = (path: string): Call => ({ name: 'read_file', args: { path } });
const list = (path: string): Call => ({ name: 'list_files', args: { path } });

const FILES = {
  plan: '.ralph/plan.tsx',
  feedback: '.ralph/feedback.md',
  phase: '.ralph/phase.txt',
  summary: '.ralph/summary.md',
  hero: 'src/sections/HeroSection.tsx',
} as const;

const LOOK: Turn = { say: 'I look at the task and at what is there.', calls: [read('.ralph/task.md'), list('.ralph'), list('src'), read('src/App.tsx')] };

/** The turn that still has to be taken to know the project, or what is known after all of them. */
export function observe(messages: ChatMessage[]): { turn: Turn } | { observation: Observation; turnsTaken: number } {
  const turnsTaken = messages.filter((message) => message.role === 'assistant').length;
  if (turnsTaken === 0) return { turn: LOOK };
  const answers = answersByCall(messages);
  const listing = [answers.get(key(list('.ralph'))), answers.get(key(list('src')))].join('\n');
  const present = Object.values(FILES).filter((path) => listing.includes(path.split('/').at(-1)!));
  if (turnsTaken === 1 && present.length) return { turn: { say: 'I read what the harness and I left there.', calls: present.map(read) } };
  const text = (path: string) => (answers.get(key(read(path))) ?? '');
  const observation = {
    task: text('.ralph/task.md'),
    app: text('src/App.tsx'),
    listing,
    ...Object.fromEntries(Object.entries(FILES).map(([name, path]) => [name, text(path)])),
  } as Observation;
  return { observation, turnsTaken: turnsTaken - (present.length ? 2 : 1) };
}

function answersByCall(messages: ChatMessage[]): Map<string, string> {
  const calls = new Map<string, string>();
  const answers = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) calls.set(call.id, `${call.function.name} ${call.function.arguments}`);
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id);
      if (call !== undefined && !answers.has(call)) answers.set(call, message.content);
    }
  }
  return answers;
}

const key = (call: Call): string => `${call.name} ${JSON.stringify(call.args)}`;
