/** A project on disk, for the git command. */
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ENVIRONMENT = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const IDENTITY = ['-c', 'user.name=u', '-c', 'user.email=u@example.com', '-c', 'protocol.file.allow=always'];

export class Disk {
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'loopgate-disk-'));
  }

  /** Returns the standard output of git; throws with its error output. */
  git(...args) {
    return execFileSync('git', [...IDENTITY, ...args], { cwd: this.dir, env: ENVIRONMENT, stdio: 'pipe' }).toString();
  }

  /** A blob as base64. */
  blob = (name) => execFileSync('git', ['cat-file', 'blob', name], { cwd: this.dir, env: ENVIRONMENT, maxBuffer: 1e8 }).toString('base64');

  /** Writes a project in the form of {@link Store.everything}. */
  write({ files, links, executable }) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.dir, dirname(path)), { recursive: true });
      if (text === null) throw new Error(`${path} exists but cannot be read`);
      writeFileSync(join(this.dir, path), Buffer.from(text, 'base64'));
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(this.dir, path));
    for (const path of executable) chmodSync(join(this.dir, path), 0o755);
  }

  /** Reads the project in the form of {@link Store.everything}. */
  read() {
    const found = { files: {}, links: {}, executable: [] };
    for (const path of readdirSync(this.dir, { recursive: true })) {
      const stat = lstatSync(join(this.dir, path));
      if (stat.isSymbolicLink()) found.links[path] = readlinkSync(join(this.dir, path));
      else if (stat.isFile()) {
        found.files[path] = readFileSync(join(this.dir, path)).toString('base64');
        if (stat.mode & 0o100) found.executable.push(path);
      }
    }
    return found;
  }

  remove() {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The project without `.git` and `.loopgate`. */
export function withoutGit({ files, links, executable }) {
  const isOwn = (path) => /^(\.git|\.loopgate)\//.test(path);
  const own = (entries) => Object.fromEntries(Object.entries(entries).filter(([path]) => !isOwn(path)).toSorted());
  return { files: own(files), links: own(links), executable: executable.filter((path) => !isOwn(path)).toSorted() };
}
