import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ShellPort } from 'loopgate';
import { userShell } from '../host/host';
import { refreshFiles } from '../project/project';
import { DIR } from '../project/storage';
import { isRunning } from '../run/session';
import { exclusively } from '../run/locks';
import { messageOf } from '../snapshots/snapshots';
import { startup } from '../store';

const EXAMPLES = ['help', 'ls src', 'theme list', 'theme preset cyberpunk --apply', 'plan validate'];
const TIMEOUT_MS = 30_000;

interface Line {
  command: string;
  /** Absent while the command runs. */
  output?: Awaited<ReturnType<ShellPort['execute']>>;
}

const lines = signal<readonly Line[]>([]);

async function execute(command: string): Promise<void> {
  const before = lines.peek();
  lines.value = [...before, { command }];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const running = exclusively('write', async () => userShell.execute(command, { cwd: DIR, signal, timeoutMs: TIMEOUT_MS }));
  const output = await running.catch((error) => ({ exitCode: 1, stdout: '', stderr: `${messageOf(error)}\n` }));
  await refreshFiles();
  lines.value = [...before, { command, output }];
}

export function ShellPane() {
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  /** Position in the history; 0 is the present line. */
  const back = useSignal(0);
  /** The line that the user was writing. */
  const own = useRef('');
  const all = lines.value;
  const busy = all.at(-1) !== undefined && !all.at(-1)!.output;
  const locked = isRunning.value || !('ready' in startup.value);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [all]);

  const write = (value: string) => {
    text.value = value;
    input.current?.focus();
  };
  const run = (event: Event) => {
    event.preventDefault();
    const command = text.value.trim();
    if (!command || busy || locked) return;
    [text.value, back.value] = ['', 0];
    void execute(command);
  };
  const recall = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (back.value === 0) own.current = text.value;
    back.value = Math.min(all.length, Math.max(0, back.value + step));
    text.value = back.value ? all.at(-back.value)!.command : own.current;
  };
  return (
    <div class="shell-pane">
      <div class="shell-lines" role="log" aria-label="Shell output" tabIndex={0} ref={list}>
        {all.length === 0 && (
          <div class="empty">
            <p>Commands for the project's files and theme:</p>
            <p class="suggestions">{EXAMPLES.map((example) => <button key={example} type="button" class="chip" onClick={() => write(example)}>{example}</button>)}</p>
          </div>
        )}
        {all.map(({ command, output }, at) => (
          <div key={at} class="shell-line">
            <p class="shell-command"><span aria-hidden="true">$ </span>{command}</p>
            {output?.stdout && <pre>{output.stdout}</pre>}
            {output?.stderr && <pre class="problem">{output.stderr}</pre>}
            {output && output.exitCode !== 0 && <p class="problem">exit code {output.exitCode}</p>}
          </div>
        ))}
      </div>
      <form class="shell-form" onSubmit={run}>
        <label for="shell-command">Command</label>
        <input id="shell-command" type="text" ref={input} value={text.value} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder="help" onInput={(event) => (text.value = event.currentTarget.value)} onKeyDown={recall} />
        <button type="submit" disabled={locked || busy || !text.value.trim()}>{busy ? 'Running …' : 'Execute'}</button>
      </form>
      {isRunning.value && <p class="muted shell-note">The agent has the shell during a run.</p>}
    </div>
  );
}
