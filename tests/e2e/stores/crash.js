/**
 * Kills a tab at a random time during a save or a rollback, and opens the project in a new tab.
 *
 * Before the next call of loopgate, every tag must resolve and no earlier data may be missing. After the next call, a save must be
 * absent or complete, a rollback must not have started or be complete and undoable, and `git fsck` must pass.
 */
import assert from 'node:assert/strict';
import { Disk } from './disk.js';
import { Random } from './random.js';
import { Store } from './stores.js';

/** Trials per store, which then has some dozens of snapshots. */
const STORE_LIFE = 20;
const FILES = 60;

/** Returns the number of calls by outcome. Throws at the first trial that lost data. */
export async function killTabs({ browser, address, kind, count, seed }) {
  const outcomes = {};
  let project;
  for (let trial = 0; trial < count; trial++) {
    if (trial % STORE_LIFE === 0) project = await Project.create({ browser, address, kind, name: `crash-${kind}-${seed}-${trial}`, random: new Random(seed + trial) });
    const call = trial % 2 === 0 ? 'save' : 'rollback';
    const outcome = await project[call](trial).catch((error) => {
      throw new Error(`${kind}, seed ${seed}, trial ${trial}, ${call}: ${error.message}`, { cause: error });
    });
    const key = `${call} ${outcome}`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
  }
  return outcomes;
}

class Project {
  /** The expected files, and the expected snapshots with their files. */
  files = {};
  known = new Map();
  /** The upper bound of the kill time in milliseconds, by call. It follows the measured durations. */
  within = {};

  static async create({ browser, address, kind, name, random }) {
    const project = Object.assign(new Project(), { browser, address, kind, name, random });
    await project.reopen();
    await project.write(Object.fromEntries(Array.from({ length: FILES }, (_, number) => [`src/${number % 7}/file-${number}.ts`, project.contents()])));
    await project.snapshot('base-1');
    for (const tag of ['base-2', 'base-3']) {
      await project.change();
      project.within.save = await timeOf(() => project.snapshot(tag));
    }
    await project.change();
    project.within.rollback = await timeOf(() => project.store.snapshot('rollback', 'base-1'));
    project.files = project.known.get('base-1');
    return project;
  }

  async save(trial) {
    await this.change();
    const tag = `task-${trial}-post`;
    const over = await this.killDuring('save', { tag });
    await this.reopen();
    await this.checkNothingLost();
    assertSame(await this.present(), this.files, 'a save changes no file');
    const found = (await this.store.git('listTags')).includes(tag);
    assert.ok(found || !over, 'a resolved save exists');
    if (found) this.known.set(tag, this.files);
    await this.snapshot(`opened-${trial}`);
    await this.checkRepository();
    return over ? 'had ended' : found ? 'is complete' : 'is absent';
  }

  async rollback(trial) {
    await this.change();
    const before = this.files;
    const tag = this.random.pick([...this.known.keys()]);
    const target = this.known.get(tag);
    const over = await this.killDuring('rollback', tag);
    await this.reopen();
    await this.checkNothingLost();
    const found = await this.present();
    const opened = `opened-${trial}`;
    await this.store.snapshot('save', { tag: opened });
    this.files = await this.present();
    this.known.set(opened, this.files);
    const isDone = isSame(this.files, target);
    if (!isDone) assertSame(this.files, before, `the files are not a mixture of the old ones and ${tag}`);
    assert.ok(isDone || !over, 'a resolved rollback is complete');
    await this.checkRepository();
    if (isDone && !isSame(target, before)) {
      await this.store.snapshot('undo');
      this.files = await this.present();
      assertSame(this.files, before, 'undo restores the replaced files');
    }
    return over ? 'had ended' : !isDone ? 'has not started' : isSame(found, target) ? 'is complete' : 'is completed by the next call';
  }

  /** Calls and kills the tab at a random time; returns whether the call had ended. */
  async killDuring(call, ...args) {
    const session = await this.page.createCDPSession();
    const gone = new Promise((resolve) => this.page.once('error', resolve));
    let over = false;
    const made = this.store.snapshot(call, ...args).then(() => (over = true), () => {});
    await new Promise((resolve) => setTimeout(resolve, this.random.next() * this.within[call]));
    session.send('Page.crash').catch(() => {});
    await gone;
    await this.page.close();
    await made;
    this.within[call] *= over ? 0.8 : 1.15;
    return over;
  }

  async reopen() {
    this.page = await this.browser.newPage();
    this.store = await Store.open(this.page, this.address, this.kind, this.name);
  }

  async checkNothingLost() {
    const refs = await this.store.ask('tags');
    for (const { tag, problem } of refs) assert.equal(problem, undefined, `tag ${tag} is broken: ${problem}`);
    for (const tag of this.known.keys()) assert.ok(refs.some((found) => found.tag === tag), `tag ${tag} is lost`);
    // `git fsck` reads all objects later. Here, the newest snapshots and a random one are compared file by file.
    const tags = [...this.known.keys()];
    for (const tag of new Set([...tags.slice(-2), this.random.pick(tags)])) {
      assertSame(await this.store.ask('filesOf', tag), this.known.get(tag), `snapshot ${tag} has the saved files`);
    }
  }

  async checkRepository() {
    for (const { tag, problem } of await this.store.ask('tags')) assert.equal(problem, undefined, `tag ${tag} is broken after the next call: ${problem}`);
    const disk = new Disk();
    try {
      disk.write(await this.store.everything());
      assert.equal(disk.git('fsck', '--strict', '--full', '--no-dangling'), '');
    } finally {
      disk.remove();
    }
  }

  async snapshot(tag) {
    await this.store.snapshot('save', { tag });
    this.known.set(tag, this.files);
  }

  /** Changes, adds and removes some files. */
  async change() {
    const paths = Object.keys(this.files);
    const gone = new Set([0, 1].map(() => this.random.pick(paths)));
    const changed = Array.from({ length: 10 }, () => this.random.pick(paths)).filter((path) => !gone.has(path));
    const added = [0, 1, 2].map(() => `new-${this.random.below(5)}/${this.random.below(1e6)} 🍓.ts`);
    await this.store.remove(...gone);
    this.files = Object.fromEntries(Object.entries(this.files).filter(([path]) => !gone.has(path)));
    await this.write(Object.fromEntries([...changed, ...added].map((path) => [path, this.contents()])));
  }

  async write(files) {
    await this.store.put(files);
    const texts = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
    this.files = Object.fromEntries([...Object.entries(this.files), ...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  present = async () => (await this.store.project()).files;
  contents = () => this.random.bytes(this.random.pick([0, 20, 300, 2_000, 20_000]));
}

async function timeOf(call) {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

const differing = (a, b) => Object.keys({ ...a, ...b }).filter((path) => a[path] !== b[path]);
const isSame = (a, b) => differing(a, b).length === 0;
/** Fails with the paths only, because contents are long and random. */
const assertSame = (found, expected, what) => assert.deepEqual(differing(found, expected), [], what);
