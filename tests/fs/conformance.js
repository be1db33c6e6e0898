/**
 * What every file system of the `fs.promises` shape is asked, and what it answers: POSIX's answer, unless `but` names
 * another for one that is known to differ. loopgate's own port asks before it acts where these differences lose files.
 *
 * A case acts in an empty folder; its answer is what it resolves to (`done` where that is nothing), or the code it
 * rejects with.
 */
const text = (bytes) => new TextDecoder().decode(bytes);
const read = async (fs, path) => text(await fs.readFile(path));
const sorted = async (fs, path) => (await fs.readdir(path)).toSorted();
const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const NAMES = ['with space', '"quoted" \'twice\'', '🍓', 'ünï.cödé', 'u\u0308', 'x'.repeat(200), '-dash', '#%41&;$(x)', 'CON', 'trailing.', '.hidden'];

export const CASES = [
  {
    name: 'text is written and read as bytes',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, 'grüß 🍓'), read(fs, `${at}/a`)),
    gives: 'grüß 🍓',
  },
  {
    name: 'text is read as text if an encoding is given',
    act: async (fs, at) => {
      await fs.writeFile(`${at}/a`, 'grüß');
      return [await fs.readFile(`${at}/a`, 'utf8'), await fs.readFile(`${at}/a`, { encoding: 'utf8' })];
    },
    gives: ['grüß', 'grüß'],
  },
  {
    name: 'bytes are read back unchanged',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, all), [...(await fs.readFile(`${at}/a`))]),
    gives: [...all],
  },
  {
    name: 'only the viewed part of a buffer is written',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, all.subarray(3, 6)), [...(await fs.readFile(`${at}/a`))]),
    gives: [3, 4, 5],
  },
  {
    name: 'an empty file exists and is empty',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, new Uint8Array()), [await read(fs, `${at}/a`), (await fs.stat(`${at}/a`)).size]),
    gives: ['', 0],
  },
  {
    name: 'a file of five megabytes is read back',
    act: async (fs, at) => {
      const bytes = Uint8Array.from({ length: 5_000_000 }, (_, at) => at * 7);
      await fs.writeFile(`${at}/a`, bytes);
      const back = await fs.readFile(`${at}/a`);
      return back.length === bytes.length && back.every((byte, at) => byte === bytes[at]);
    },
    gives: true,
  },
  {
    name: 'a shorter file replaces a longer one',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, 'longer'), await fs.writeFile(`${at}/a`, 'no'), read(fs, `${at}/a`)),
    gives: 'no',
  },
  {
    name: 'of concurrent writers of one file, one wins completely',
    act: async (fs, at) => {
      const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1000));
      await Promise.all(texts.map((text) => fs.writeFile(`${at}/a`, text)));
      return texts.includes(await read(fs, `${at}/a`));
    },
    gives: true,
  },
  {
    name: 'many files are written concurrently',
    act: async (fs, at) => {
      const names = Array.from({ length: 20 }, (_, number) => `f${number}`);
      await Promise.all(names.map((name) => fs.writeFile(`${at}/${name}`, name)));
      return (await Promise.all(names.map((name) => read(fs, `${at}/${name}`)))).every((text, number) => text === `f${number}`);
    },
    gives: true,
  },
  { name: 'a missing file is read', act: (fs, at) => fs.readFile(`${at}/no`), gives: 'ENOENT' },
  { name: 'a file of a missing folder is read', act: (fs, at) => fs.readFile(`${at}/no/no`), gives: 'ENOENT' },
  { name: 'a folder is read', act: (fs, at) => fs.readFile(at), gives: 'EISDIR', but: { lightningfs: 'done' } },
  { name: 'a file is read below a file', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.readFile(`${at}/a/b`)), gives: 'ENOTDIR', but: { lightningfs: 'ENOENT' } },
  { name: 'a file is written into a missing folder', act: (fs, at) => fs.writeFile(`${at}/no/a`, ''), gives: 'ENOENT' },
  {
    name: 'a file is written below a file',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.writeFile(`${at}/a/b`, '')),
    gives: 'ENOTDIR',
    but: { lightningfs: 'done' },
  },
  { name: 'a file is written over a folder', act: async (fs, at) => (await fs.mkdir(`${at}/d`), fs.writeFile(`${at}/d`, '')), gives: 'EISDIR' },

  { name: 'a folder is listed', act: async (fs, at) => (await fs.mkdir(`${at}/d`), await fs.writeFile(`${at}/a`, ''), sorted(fs, at)), gives: ['a', 'd'] },
  { name: 'a missing folder is listed', act: (fs, at) => fs.readdir(`${at}/no`), gives: 'ENOENT' },
  { name: 'a file is listed', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.readdir(`${at}/a`)), gives: 'ENOTDIR' },
  {
    name: 'unusual names are preserved',
    act: async (fs, at) => {
      for (const name of NAMES) await fs.writeFile(`${at}/${name}`, name);
      const names = await sorted(fs, at);
      const same = await Promise.all(names.map(async (name) => name === (await read(fs, `${at}/${name}`))));
      return [names, same.every(Boolean)];
    },
    gives: [NAMES.toSorted(), true],
  },
  {
    name: 'paths are normalised',
    act: async (fs, at) => (await fs.mkdir(`${at}/d`), await fs.writeFile(`${at}//d/./a`, 'a'), [await read(fs, `${at}/d/../d/a`), await sorted(fs, `${at}/d/`)]),
    gives: ['a', ['a']],
  },

  { name: 'a folder is created twice', act: async (fs, at) => (await fs.mkdir(`${at}/d`), fs.mkdir(`${at}/d`)), gives: 'EEXIST' },
  { name: 'a folder is created over a file', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.mkdir(`${at}/a`)), gives: 'EEXIST' },
  { name: 'a folder is created in a missing one', act: (fs, at) => fs.mkdir(`${at}/no/d`), gives: 'ENOENT' },
  {
    name: 'folders are created recursively, twice',
    act: async (fs, at) => {
      for (let time = 0; time < 2; time++) await fs.mkdir(`${at}/d/e/f`, { recursive: true });
      return sorted(fs, `${at}/d/e`);
    },
    gives: ['f'],
    but: { lightningfs: 'ENOENT' },
  },
  {
    name: 'folders are created recursively over a file',
    act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.mkdir(`${at}/a`, { recursive: true })),
    gives: 'EEXIST',
    but: { memfs: 'done' },
  },
  { name: 'folders are created recursively below a file', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.mkdir(`${at}/a/b`, { recursive: true })), gives: 'ENOTDIR', but: { lightningfs: 'done' } },

  { name: 'an empty folder is removed', act: async (fs, at) => (await fs.mkdir(`${at}/d`), await fs.rmdir(`${at}/d`), sorted(fs, at)), gives: [] },
  { name: 'a full folder is removed', act: async (fs, at) => (await fs.mkdir(`${at}/d`), await fs.writeFile(`${at}/d/a`, ''), fs.rmdir(`${at}/d`)), gives: 'ENOTEMPTY' },
  { name: 'a missing folder is removed', act: (fs, at) => fs.rmdir(`${at}/no`), gives: 'ENOENT' },
  { name: 'a file is removed as a folder', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.rmdir(`${at}/a`)), gives: 'ENOTDIR' },
  { name: 'a file is removed', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), await fs.unlink(`${at}/a`), sorted(fs, at)), gives: [] },
  { name: 'a missing file is removed', act: (fs, at) => fs.unlink(`${at}/no`), gives: 'ENOENT' },
  {
    name: 'a folder is removed as a file',
    act: async (fs, at) => (await fs.mkdir(`${at}/d`), fs.unlink(`${at}/d`)),
    gives: 'EISDIR',
    but: { lightningfs: 'done', memfs: 'EPERM' },
  },
  {
    name: 'a removed folder is created again',
    act: async (fs, at) => {
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/d/a`, 'old');
      await fs.unlink(`${at}/d/a`);
      await fs.rmdir(`${at}/d`);
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/d/b`, 'new');
      return sorted(fs, `${at}/d`);
    },
    gives: ['b'],
  },
  {
    name: 'a file replaces a removed folder, and back',
    act: async (fs, at) => {
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/d/a`, '');
      await fs.unlink(`${at}/d/a`);
      await fs.rmdir(`${at}/d`);
      await fs.writeFile(`${at}/d`, 'file');
      const file = (await fs.stat(`${at}/d`)).isFile();
      await fs.unlink(`${at}/d`);
      await fs.mkdir(`${at}/d`);
      return [file, (await fs.stat(`${at}/d`)).isDirectory()];
    },
    gives: [true, true],
  },

  { name: 'a file is renamed', act: async (fs, at) => (await fs.writeFile(`${at}/a`, 'a'), await fs.rename(`${at}/a`, `${at}/b`), [await sorted(fs, at), await read(fs, `${at}/b`)]), gives: [['b'], 'a'] },
  {
    name: 'a file is moved over another',
    act: async (fs, at) => {
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/a`, 'new');
      await fs.writeFile(`${at}/d/b`, 'old');
      await fs.rename(`${at}/a`, `${at}/d/b`);
      return [await sorted(fs, at), await read(fs, `${at}/d/b`)];
    },
    gives: [['d'], 'new'],
  },
  { name: 'a file is renamed to itself', act: async (fs, at) => (await fs.writeFile(`${at}/a`, 'a'), await fs.rename(`${at}/a`, `${at}/a`), read(fs, `${at}/a`)), gives: 'a', but: { lightningfs: 'ENOENT' } },
  { name: 'a missing file is renamed', act: (fs, at) => fs.rename(`${at}/no`, `${at}/b`), gives: 'ENOENT' },
  { name: 'a file is renamed into a missing folder', act: async (fs, at) => (await fs.writeFile(`${at}/a`, 'a'), fs.rename(`${at}/a`, `${at}/no/a`)), gives: 'ENOENT' },
  {
    name: 'a file is renamed over a folder',
    act: async (fs, at) => {
      await fs.writeFile(`${at}/a`, 'a');
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/d/kept`, '');
      const refused = await fs.rename(`${at}/a`, `${at}/d`).then(() => 'done', ({ code }) => code);
      return [refused, await sorted(fs, `${at}/d`).catch(({ code }) => code)];
    },
    gives: ['EISDIR', ['kept']],
    but: { lightningfs: ['done', 'ENOTDIR'], memfs: ['done', 'ENOTDIR'] },
  },
  {
    name: 'a folder is renamed with its contents',
    act: async (fs, at) => {
      await fs.mkdir(`${at}/d`);
      await fs.mkdir(`${at}/d/e`);
      await fs.mkdir(`${at}/d/empty`);
      await fs.writeFile(`${at}/d/e/a`, 'a');
      await read(fs, `${at}/d/e/a`);
      await fs.rename(`${at}/d`, `${at}/new`);
      return [await sorted(fs, at), await sorted(fs, `${at}/new`), await read(fs, `${at}/new/e/a`), await read(fs, `${at}/d/e/a`).catch(({ code }) => code)];
    },
    gives: [['new'], ['e', 'empty'], 'a', 'ENOENT'],
  },
  {
    name: 'a folder is moved over an empty one',
    act: async (fs, at) => {
      await fs.mkdir(`${at}/d`);
      await fs.writeFile(`${at}/d/a`, 'a');
      await fs.mkdir(`${at}/empty`);
      await fs.rename(`${at}/d`, `${at}/empty`);
      return [await sorted(fs, at), await read(fs, `${at}/empty/a`)];
    },
    gives: [['empty'], 'a'],
  },
  {
    name: 'a folder is moved over a full one',
    act: async (fs, at) => {
      for (const name of ['d', 'e']) {
        await fs.mkdir(`${at}/${name}`);
        await fs.writeFile(`${at}/${name}/${name}`, '');
      }
      const refused = await fs.rename(`${at}/d`, `${at}/e`).then(() => 'done', ({ code }) => code);
      return [refused, await sorted(fs, at), await sorted(fs, `${at}/e`)];
    },
    gives: ['ENOTEMPTY', ['d', 'e'], ['e']],
    but: { lightningfs: ['done', ['e'], ['d']], memfs: ['done', ['e'], ['d']] },
  },
  {
    name: 'a folder is moved over a file',
    act: async (fs, at) => (await fs.mkdir(`${at}/d`), await fs.writeFile(`${at}/a`, ''), fs.rename(`${at}/d`, `${at}/a`)),
    gives: 'ENOTDIR',
    but: { lightningfs: 'done', memfs: 'done' },
  },
  { name: 'a folder is moved into itself', act: async (fs, at) => (await fs.mkdir(`${at}/d`), fs.rename(`${at}/d`, `${at}/d/e`)), gives: 'EINVAL', but: { lightningfs: 'done', memfs: 'done' } },

  {
    name: 'the stat of a file has kind, size and time',
    act: async (fs, at) => {
      await fs.writeFile(`${at}/a`, 'four');
      const stat = await fs.stat(`${at}/a`);
      return [stat.isFile(), stat.isDirectory(), stat.isSymbolicLink(), stat.size, stat.mtimeMs > 1.6e12, stat.mode & 0o170000];
    },
    gives: [true, false, false, 4, true, 0o100000],
    but: { lightningfs: [true, false, false, 4, true, 0] },
  },
  { name: 'the stat of a folder has its kind', act: async (fs, at) => ((stat) => [stat.isFile(), stat.isDirectory()])(await fs.lstat(at)), gives: [false, true] },
  { name: 'the stat of a missing entry fails', act: (fs, at) => fs.lstat(`${at}/no`), gives: 'ENOENT' },
  { name: 'the stat of an entry below a file fails', act: async (fs, at) => (await fs.writeFile(`${at}/a`, ''), fs.stat(`${at}/a/b`)), gives: 'ENOTDIR', but: { lightningfs: 'ENOENT' } },
  {
    name: 'the time of a file changes when it is written, not when it is read or renamed',
    act: async (fs, at) => {
      await fs.writeFile(`${at}/a`, '1');
      const { mtimeMs: first } = await fs.stat(`${at}/a`);
      while (Date.now() <= first + 1) await new Promise((next) => setTimeout(next));
      await read(fs, `${at}/a`);
      await fs.rename(`${at}/a`, `${at}/b`);
      const { mtimeMs: same } = await fs.stat(`${at}/b`);
      await fs.writeFile(`${at}/b`, '2');
      return [same === first, (await fs.stat(`${at}/b`)).mtimeMs > first];
    },
    gives: [true, true],
  },
  { name: 'a path with NUL is refused', act: (fs, at) => fs.writeFile(`${at}/a\0b`, '').then(() => 'done', () => 'refused'), gives: 'refused', but: { lightningfs: 'done' } },
];

/** Runs every case; gives those that answered otherwise than the table says. `kind` names the file system in `but`. */
export async function deviations(fs, kind, at) {
  const found = [];
  for (const [number, { name, act, gives, but = {} }] of CASES.entries()) {
    const folder = `${at}/case-${number}`;
    await fs.mkdir(folder);
    const expected = kind in but ? but[kind] : gives;
    const answer = await act(fs, folder).then((value) => value ?? 'done', (error) => error?.code ?? `${error}`);
    if (JSON.stringify(answer) !== JSON.stringify(expected)) found.push({ name, expected, answer });
  }
  return found;
}
