import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isRunning } from '../run/session';
import { runCommand, shellLines, type ShellLine } from '../shell/session';
import { startup } from '../start';

const EXAMPLES = ['theme list', 'theme preset cyberpunk --apply', 'theme modify --shift-hue 30 --apply', 'plan validate', 'ls src'];

export function ShellPane() {
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  /** Position in the history; 0 is the present line. */
  const back = useSignal(0);
  const lines = shellLines.value;
  const busy = lines.at(-1) !== undefined && !lines.at(-1)!.output;
  const locked = isRunning.value || !('ready' in startup.value);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [lines]);

  const write = (value: string) => {
    text.value = value;
    input.current?.focus();
  };
  const run = (event: Event) => {
    event.preventDefault();
    const command = text.value.trim();
    if (!command || busy || locked) return;
    text.value = '';
    back.value = 0;
    void runCommand(command);
  };
  const recall = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    back.value = Math.min(lines.length, Math.max(0, back.value + step));
    text.value = back.value ? lines.at(-back.value)!.command : '';
  };
  return (
    <div class="shell-pane">
      <div class="shell-lines" role="log" aria-label="Shell output" tabIndex={0} ref={list}>
        {lines.length === 0 ? (
          <div class="empty">
            <p>This is the agent's shell, with the same rules. Some commands to try:</p>
            <p class="suggestions">{EXAMPLES.map((example) => <button key={example} type="button" class="chip" onClick={() => write(example)}>{example}</button>)}</p>
          </div>
        ) : (
          lines.map((line) => <Output key={line.key} line={line} />)
        )}
      </div>
      <form class="shell-form" onSubmit={run}>
        <label for="shell-command">Command</label>
        <input id="shell-command" type="text" ref={input} value={text.value} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder="theme list" onInput={(event) => (text.value = event.currentTarget.value)} onKeyDown={recall} />
        <button type="submit" disabled={locked || busy || !text.value.trim()}>{busy ? 'Running …' : 'Execute'}</button>
      </form>
      {isRunning.value && <p class="muted shell-note">Only the agent can use the shell during a run.</p>}
    </div>
  );
}

function Output({ line: { command, output } }: { line: ShellLine }) {
  return (
    <div class="shell-line">
      <p class="shell-command"><span aria-hidden="true">$ </span>{command}</p>
      {output?.stdout && <pre>{output.stdout}</pre>}
      {output?.stderr && <pre class="problem">{output.stderr}</pre>}
      {output && output.exitCode !== 0 && <p class="problem">exit code {output.exitCode}</p>}
    </div>
  );
}
