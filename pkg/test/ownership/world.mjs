// A world for random histories: every line names its author, so that the files themselves say whose change is where.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { edit, move, remove, sh, write } from './project.mjs';

/** A generator of numbers in [0, 1) that repeats itself for a seed. */
export function generator(seed) {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Eleven lines. Only each second one is changed, so that two changes conflict only where they change the same line. */
export const text = (name) => Array.from({ length: 11 }, (_, at) => `${name} ${at}\n`).join('');
export const FILES = Object.fromEntries(['src/f0.ts', 'src/f1.ts', 'src/f2.ts', 'src/f3.ts'].map((path) => [path, text(path)]));

const marks = (content) => content.match(/(AGENT|USER)-\d+/g) ?? [];

export class World {
  log = [];
  /** The markers of the user, with the file of each. */
  mine = new Map();
  /** The files that the user changed. */
  paths = new Set();
  /** Markers of the user that count as a call's, because they were not announced. */
  unclear = new Set();
  /** Files in which one side changed what the other had written: a conflict is possible there. */
  close = new Set();
  /** Files that the agent created or moved, with the file that each was before. */
  made = new Map();
  commits = [];
  /** The texts of the events that name files to the user. */
  named = '';
  #count = 0;

  constructor(p, random) {
    Object.assign(this, { p, random });
  }

  chance = (part) => this.random() < part;
  pick = (list) => list[Math.floor(this.random() * list.length)];
  #next = (author) => `${author}-${++this.#count}`;
  #sources = () => nodeFs.readdirSync(join(this.p.dir, 'src')).map((name) => `src/${name}`);

  /** The user does something; returns the path. */
  user({ announced = true, commits = true } = {}) {
    const acts = [this.#editLine, this.#editLine, this.#create, this.#editIgnored, this.#deleteOwn, ...(commits ? [this.#commit] : [])];
    const path = this.pick(acts).call(this, announced);
    if (path) this.paths.add(path);
    return path;
  }

  #owns(path, marker, announced) {
    if (announced) this.mine.set(marker, path);
    else this.unclear.add(marker);
    this.log.push(`user writes ${marker} to ${path}${announced ? '' : ', unannounced'}`);
    return path;
  }

  #editLine(announced) {
    const path = this.pick(this.#sources());
    const [lines, at] = this.#line(path);
    for (const marker of marks(lines[at])) {
      if (!announced || marker.startsWith('AGENT') || this.unclear.has(marker)) this.close.add(path);
      this.mine.delete(marker);
    }
    for (let made = path; this.made.has(made); made = this.made.get(made)) {
      this.close.add(made);
      this.paths.add(this.made.get(made) ?? made);
    }
    const marker = this.#next('USER');
    lines[at] = marker;
    this.p.put(path, lines.join('\n'));
    return this.#owns(path, marker, announced);
  }

  /** The lines of a file, and the index of one that may change. */
  #line(path) {
    const lines = this.p.text(path).split('\n');
    return [lines, Math.floor((this.random() * (lines.length - 1)) / 2) * 2];
  }

  #create(announced) {
    const marker = this.#next('USER');
    const path = `mine-${this.#count}.txt`;
    this.p.put(path, `${marker}\n`);
    return this.#owns(path, marker, announced);
  }

  #editIgnored(announced) {
    for (const [marker, path] of this.mine) if (path === '.env') this.mine.delete(marker);
    if (/AGENT/.test(this.p.text('.env') ?? '')) this.close.add('.env');
    const marker = this.#next('USER');
    this.p.put('.env', `${marker}\n`);
    return this.#owns('.env', marker, announced);
  }

  #deleteOwn() {
    const own = [...this.mine].find(([, path]) => path.startsWith('mine-'));
    if (!own || !this.p.has(own[1])) return undefined;
    this.mine.delete(own[0]);
    this.p.remove(own[1]);
    this.log.push(`user deletes ${own[1]}`);
    return own[1];
  }

  #commit() {
    // Not on top of a commit of the run, which then could not be taken back.
    const isFree = this.p.git('branch', '--show-current') === 'spec/shop' && !this.p.log().includes('Add a');
    if (!isFree) return undefined;
    const marker = this.#next('USER');
    const path = `doc-${this.#count}.md`;
    this.p.put(path, `${marker}\n`);
    this.p.git('add', path);
    this.p.git('commit', '-qm', `doc ${this.#count}`, '--', path);
    this.commits.push(this.p.git('rev-parse', 'HEAD'));
    this.#owns(path, marker, true);
    this.log.push(`user commits ${path}`);
    return path;
  }

  /** A call of the agent; with `free` also one of the shell. */
  agent(free) {
    const untouched = this.#sources().filter((path) => !this.paths.has(path));
    const kind = this.pick(['edit', 'edit', 'create', 'remove', 'move', 'env', 'ignored', ...(free ? ['shell', 'shell'] : [])]);
    if ((kind === 'remove' || kind === 'move') && untouched.length < 2) return this.create();
    const path = this.pick(untouched);
    const marker = this.#next('AGENT');
    const call = {
      edit: () => this.#edit(marker),
      create: () => this.create(marker),
      remove: () => remove(path),
      move: () => (this.made.set(`src/m${this.#count}.ts`, path), move(path, `src/m${this.#count}.ts`)),
      env: () => write('.env', `${marker}\n`),
      ignored: () => write(`build/${marker}.txt`, `${marker}\n`),
      shell: () => sh(this.pick(['edit', 'edit with user', 'edit with unannounced user', 'git add -A', 'git commit -qam agent'])),
    }[kind]();
    this.log.push(`agent: ${call.function.name} ${call.function.arguments}`);
    return call;
  }

  create(marker = this.#next('AGENT')) {
    const path = `src/n${this.#count}.ts`;
    this.made.set(path, undefined);
    return write(path, `${marker}\na\n${marker} again\nb\n`);
  }

  /** The agent replaces a line that is not the user's. */
  #edit(marker) {
    const path = this.pick(this.#sources());
    const [lines, at] = this.#line(path);
    if (/USER/.test(lines[at]) || lines[at] === '') return this.create(marker);
    return edit(path, `${lines[at]}\n`, `${marker}\n`);
  }

  /** A command of the agent's shell. */
  shell(command, run) {
    if (command.startsWith('git')) return this.#git(command.split(' ').slice(1));
    const path = this.pick(this.#sources());
    const [lines, at] = this.#line(path);
    if (!/USER/.test(lines[at])) {
      lines[at] = this.#next('AGENT');
      this.log.push(`the command writes ${lines[at]} to ${path}`);
      this.p.put(path, lines.join('\n'));
    }
    if (command === 'edit') return 0;
    const announced = command === 'edit with user';
    // A commit during a command counts as the command's.
    const edited = this.user({ announced, commits: false });
    if (announced && edited) run.edited([edited]);
    // What was announced is the file: the line of the command in it counts as the user's.
    if (edited === path) this.close.add(path);
    return 0;
  }

  #git(args) {
    try {
      this.p.git(...args);
      return 0;
    } catch {
      return 1;
    }
  }

  note(event) {
    if (['user-changed', 'status'].includes(event.type) || event.repaired) this.named += JSON.stringify(event);
  }

  /** What the user wrote last is in the files. `but`: a file that the agent may have changed since. */
  checkMine(but) {
    const found = this.#found();
    for (const [marker, path] of this.mine) {
      if (path !== but) assert.ok(found.has(marker), `${marker}, which the user wrote to ${path}, is gone`);
    }
    const onBranch = this.p.git('rev-list', 'spec/shop', '--').split('\n');
    for (const commit of this.commits) assert.ok(onBranch.includes(commit), `the user's commit ${commit} is not on the branch`);
  }

  /** No commit of the run has a line of the user. */
  checkCommits() {
    const changed = this.p.patches().split('\n').filter((line) => /^[+-]/.test(line));
    const wrong = marks(changed.join('\n')).filter((marker) => marker.startsWith('USER') && !this.unclear.has(marker));
    assert.deepEqual(wrong, [], 'a commit of the run has lines of the user');
  }

  /** Nothing of the agent is left, except in a conflict that an event or the feedback names. */
  checkClean(feedback) {
    const named = this.named + feedback;
    for (const [marker, path] of this.#found()) {
      const isNamed = this.close.has(path) && named.includes(path);
      assert.ok(marker.startsWith('USER') || isNamed, `${marker} of the agent is left in ${path}`);
    }
    this.checkStatus();
    this.checkMine();
    const subjects = this.p.log().filter((subject) => !/^(doc \d+|by the user)$/.test(subject));
    assert.deepEqual(subjects, [], 'a commit of the agent is left');
  }

  /** Only files of the user differ from HEAD, and nothing is staged. */
  checkStatus() {
    const differing = this.p.status().split('\n').filter(Boolean).map((line) => line.slice(3));
    const others = differing.filter((path) => !this.paths.has(path));
    assert.deepEqual(others, [], 'files of the agent differ from HEAD');
    assert.equal(this.p.git('diff', '--cached', '--name-only'), '', 'something is staged');
  }

  /** The file of each marker. */
  #found(folder = '') {
    const found = new Map();
    for (const entry of nodeFs.readdirSync(join(this.p.dir, folder), { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (['.git', '.loopgate', '.handoff'].includes(path)) continue;
      const inside = entry.isDirectory() ? this.#found(path) : marks(this.p.text(path)).map((marker) => [marker, path]);
      for (const [marker, place] of inside) found.set(marker, place);
    }
    return found;
  }
}
