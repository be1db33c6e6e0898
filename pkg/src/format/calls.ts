/** The calls of tools in words. Pure. */
import { after, capital, oneLine, wordsFor } from './words.js';

type Arguments = Record<string, unknown>;
/** `May the agent <does> …?`, `<Doing> …`. */
type Verbs = [does: string, doing: string];
/** The object is what the call is about. */
type Words = [...Verbs, object: string];

const FILES: Record<string, Verbs> = {
  read_file: ['read', 'reading'],
  write_file: ['write', 'writing'],
  edit_file: ['edit', 'editing'],
  delete_file: ['delete', 'deleting'],
  move_file: ['move', 'moving'],
  list_files: ['list the files in', 'listing the files in'],
};

const VERSIONS: Record<string, Verbs> = {
  save: ['save a version', 'saving a version'],
  rollback: ['restore a version', 'restoring a version'],
};
const VERSIONS_OF: Verbs = ['list the versions of', 'listing the versions of'];
const OLDER: Verbs = ['read an older version of', 'reading an older version of'];
const LOOK: Verbs = ['look at the versions', 'looking at the versions'];

function words(name: string, args: Arguments): Words {
  const files = wordsFor(FILES, name);
  if (files) return [...files, target(args) || (name === 'list_files' ? 'the project' : 'a file')];
  switch (name) {
    case 'search':
      return ['search for', 'searching for', quoted(args.query) || 'a text'];
    case 'history':
      return [...(textOf(args.version) ? OLDER : VERSIONS_OF), target(args) || 'a file'];
    case 'shell':
      return ['run', 'running', oneLine(textOf(args.command)) || 'a command'];
    case 'plan':
      return ['look at', 'looking at', 'the plan'];
    case 'snapshot':
      return [...(wordsFor(VERSIONS, textOf(args.action)) ?? LOOK), ''];
    case 'complete_task':
      return ['report that the work is done', 'reporting that the work is done', ''];
    default:
      return ['use', 'using', `${oneLine(name) || 'a tool'}${after(' with ', target(args) || oneLine(textOf(args.command)) || quoted(args.query))}`];
  }
}

/** Such as `Editing src/App.tsx`. */
export function doing(name: unknown, args: unknown): string {
  const [, verb, object] = words(textOf(name), argumentsOf(args));
  return capital(`${verb}${after(' ', object)}`);
}

/** Such as `May the agent edit src/App.tsx?`. */
export function mayIt(name: unknown, args: unknown): string {
  const [verb, , object] = words(textOf(name), argumentsOf(args));
  return `May the agent ${verb}${after(' ', object)}?`;
}

function target({ from, to, path }: Arguments): string {
  return textOf(from) && textOf(to) ? `${oneLine(textOf(from))} to ${oneLine(textOf(to))}` : oneLine(textOf(path));
}

const quoted = (value: unknown): string => (textOf(value) ? `“${oneLine(textOf(value))}”` : '');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const argumentsOf = (args: unknown): Arguments => (typeof args === 'object' && args !== null ? (args as Arguments) : {});
