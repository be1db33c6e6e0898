/** A small shell: reads and writes files of the project and sets the theme. */
import type { FsPort, ShellCommand, ShellPort } from 'loopgate';
import { nearest, readCalls, UsageError, type Call } from './words';

type Output = Awaited<ReturnType<ShellPort['execute']>>;

interface Environment {
  /** For the built-in commands. */
  fs: FsPort;
  /** Additional commands. */
  commands: readonly ShellCommand[];
}

export interface CommandContext {
  fs: FsPort;
  /** The absolute path of an argument, which may be relative to the working directory. */
  path(argument: string): string;
  /** The absolute path of a file of the project. */
  inProject(path: string): string;
}

interface Command {
  /** The synopsis and the purpose, in one line. */
  usage: string;
  /** Needs arguments. Options such as `-p` and `-f` are ignored: they are the default here. */
  needs?: string;
  run(args: readonly string[], context: CommandContext): Promise<string>;
}

const each = async (args: readonly string[], work: (arg: string) => unknown): Promise<string> => {
  for (const arg of args) await work(arg);
  return '';
};

const COMMANDS: Readonly<Record<string, Command>> = {
  cat: { usage: 'cat FILE…: prints files', needs: 'a file', run: async (args, { fs, path }) => (await Promise.all(args.map((arg) => readText(fs, path(arg))))).join('') },
  echo: { usage: 'echo TEXT…: prints text; > and >> write it to a file', run: async (args) => `${args.join(' ')}\n` },
  ls: {
    usage: 'ls [FOLDER…]: lists folders',
    async run(args, context) {
      const listed = await Promise.all((args.length ? args : ['.']).map((arg) => list(context, arg)));
      return args.length > 1 ? args.map((arg, index) => `${arg}:\n${listed[index]}`).join('\n') : listed.join('');
    },
  },
  mkdir: { usage: 'mkdir FOLDER…: creates folders and their parents', needs: 'a folder', run: (args, { fs, path }) => each(args, (arg) => fs.mkdir(path(arg), { recursive: true })) },
  rm: { usage: 'rm FILE…: deletes files, not folders', needs: 'a file', run: (args, { fs, path }) => each(args, (arg) => fs.unlink(path(arg))) },
  theme: {
    usage: 'theme list | preset NAME | generate --seed 0-360 --pattern NAME [--mood M --chroma C --font "F" --shadow-profile S --radius R] | modify --shift-hue DEGREES …: --apply writes the theme to src/index.css',
    run: async (args, context) => (await import('../theme/command')).theme(args, context),
  },
};

/** `open` is called once per line. */
export function shell(open: () => Environment, dir: string): ShellPort {
  const usages = () => [...Object.values(COMMANDS).map(({ usage }) => usage), ...open().commands.map(({ name }) => name)];
  const help: ShellCommand = { name: 'help', execute: async () => ({ exitCode: 0, stdout: `${usages().join('\n')}\nJoin commands with &&, || or ;.\n`, stderr: '' }) };
  return {
    async execute(line, { cwd, signal }) {
      const { fs, commands } = open();
      const context: CommandContext = { fs, path: (argument) => (argument.startsWith('/') ? argument : `${cwd}/${argument}`), inProject: (path) => `${dir}/${path}` };
      const total: Output = { exitCode: 0, stdout: '', stderr: '' };
      try {
        for (const call of await readCalls(line)) {
          signal.throwIfAborted();
          if (call.join !== ';' && (call.join === '&&') !== (total.exitCode === 0)) continue;
          const { exitCode, stdout, stderr } = await run(call, [...commands, help], context);
          [total.exitCode, total.stdout, total.stderr] = [exitCode, total.stdout + stdout, total.stderr + stderr];
        }
        return total;
      } catch (error) {
        signal.throwIfAborted();
        return failure('shell', error);
      }
    },
    describe: () => `Commands: ${usages().join('; ')}. Join commands with &&, || or ;. Pipes and variables are not supported.`,
  };
}

async function run({ words: [name = '', ...args], into }: Call, more: readonly ShellCommand[], context: CommandContext): Promise<Output> {
  try {
    const output = await outputOf(name, args, more, context);
    if (!into || output.exitCode !== 0) return output;
    const path = context.path(into.path);
    await context.fs.writeFile(path, (into.append ? await readTextIfAny(context.fs, path) : '') + output.stdout);
    return { ...output, stdout: '' };
  } catch (error) {
    return failure(name, error, context.inProject(''));
  }
}

async function outputOf(name: string, args: string[], more: readonly ShellCommand[], context: CommandContext): Promise<Output> {
  const added = more.find((command) => command.name === name);
  if (added) return added.execute(args);
  if (!Object.hasOwn(COMMANDS, name)) {
    const near = nearest(name, [...Object.keys(COMMANDS), ...more.map((command) => command.name)]);
    return { exitCode: 127, stdout: '', stderr: `${name}: there is no such command here. ${near.length ? `Did you mean ${near.join(' or ')}?` : '`help` lists the commands.'}\n` };
  }
  const { needs, run } = COMMANDS[name]!;
  const given = needs ? args.filter((arg) => !arg.startsWith('-')) : args;
  if (needs && !given.length) throw new UsageError(`${name} needs ${needs}`);
  return { exitCode: 0, stdout: await run(given, context), stderr: '' };
}

const failure = (name: string, error: unknown, root = ''): Output => ({ exitCode: error instanceof UsageError ? 2 : 1, stdout: '', stderr: `${name}: ${messageOf(error).replaceAll(root, '')}\n` });

/** The file system has no words for these. */
const CODES: Readonly<Record<string, string>> = { ENOENT: 'no such file or folder', ENOTDIR: 'not a folder', EISDIR: 'this is a folder', EEXIST: 'it exists already', ENOTEMPTY: 'the folder is not empty' };
function messageOf(error: unknown): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  return CODES[code] ? message.replace(code, CODES[code]) : message;
}

async function list({ fs, path }: CommandContext, folder: string): Promise<string> {
  const at = path(folder);
  if (!(await fs.stat(at)).isDirectory()) return `${folder}\n`;
  const names = (await fs.readdir(at)).sort();
  const marks = await Promise.all(names.map(async (name) => ((await fs.stat(`${at}/${name}`)).isDirectory() ? '/' : '')));
  return names.map((name, index) => `${name}${marks[index]}\n`).join('');
}

async function readText(fs: FsPort, path: string): Promise<string> {
  const read = await fs.readFile(path, 'utf8');
  return typeof read === 'string' ? read : new TextDecoder().decode(read);
}

/** Empty for a missing file. */
export async function readTextIfAny(fs: FsPort, path: string): Promise<string> {
  try {
    return await readText(fs, path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return '';
    throw error;
  }
}
