/** The commands of the shell, by name. */
import { type Command, type CommandContext, UsageError } from './command';
import { readText } from './read';

export const COMMANDS: Readonly<Record<string, Command>> = {
  cat: {
    usage: 'cat FILE…: prints files',
    async run(args, context) {
      if (!args.length) throw new UsageError('cat needs a file');
      const texts = await Promise.all(args.map((arg) => readText(context.fs, context.path(arg))));
      return texts.join('');
    },
  },
  echo: {
    usage: 'echo TEXT…: prints text; > and >> write it to a file',
    run: async (args) => `${args.join(' ')}\n`,
  },
  ls: {
    usage: 'ls [FOLDER…]: lists folders',
    async run(args, context) {
      const listed = await Promise.all((args.length ? args : ['.']).map((arg) => list(context, arg)));
      return args.length > 1 ? args.map((arg, index) => `${arg}:\n${listed[index]}`).join('\n') : listed.join('');
    },
  },
  mkdir: {
    usage: 'mkdir FOLDER…: creates folders and their parents',
    async run(args, { fs, path }) {
      if (!args.some(isName)) throw new UsageError('mkdir needs a folder');
      for (const folder of args.filter(isName)) await fs.mkdir(path(folder), { recursive: true });
      return '';
    },
  },
  rm: {
    usage: 'rm FILE…: deletes files, not folders',
    async run(args, { fs, path }) {
      if (!args.some(isName)) throw new UsageError('rm needs a file');
      for (const file of args.filter(isName)) await fs.unlink(path(file));
      return '';
    },
  },
  theme: {
    usage: 'theme list | preset NAME | generate --seed 0-360 --pattern NAME [--mood M --chroma C --font "F" --shadow-profile S --radius R] | modify --shift-hue DEGREES …: --apply writes the theme to src/index.css',
    run: async (args, context) => (await import('../theme/command')).theme(args, context),
  },
};

/** Options such as `-p` and `-f` are ignored: they are the default here. */
const isName = (arg: string): boolean => !arg.startsWith('-');

async function list({ fs, path }: CommandContext, folder: string): Promise<string> {
  const at = path(folder);
  if (!(await fs.stat(at)).isDirectory()) return `${folder}\n`;
  const names = (await fs.readdir(at)).sort();
  const marks = await Promise.all(names.map(async (name) => ((await fs.stat(`${at}/${name}`)).isDirectory() ? '/' : '')));
  return names.map((name, index) => `${name}${marks[index]}\n`).join('');
}
