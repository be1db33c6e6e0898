import { useSignal } from '@preact/signals';
import { openProject } from '../run/begin';
import { isRunning, stop } from '../run/session';
import { dialog, showTab, startup, switchScheme, TABS, type Tab } from '../store';
import { Dialog } from './Dialog';

interface Command {
  name: string;
  keys?: string;
  isBlocked?: boolean;
  run(): void;
}

/** A list of what the page can do, with its keys. */
export function Commands() {
  const wanted = useSignal('');
  const close = () => (dialog.value = null);
  const shown = commands().filter(({ name }) => name.toLowerCase().includes(wanted.value.trim().toLowerCase()));
  const choose = (command: Command | undefined) => {
    if (!command || command.isBlocked) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const list = event.currentTarget as HTMLElement;
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) choose(shown.find(({ isBlocked }) => !isBlocked));
    if (!step) return;
    event.preventDefault();
    const stops = [...list.querySelectorAll<HTMLElement>('input, button:not(:disabled)')];
    stops.at((stops.indexOf(document.activeElement as HTMLElement) + step) % stops.length)?.focus();
  };
  return (
    <Dialog title="Commands" kind="commands" cancel="Close" onClose={close}>
      <p class="muted">Describe what you want, and an agent builds it. loopgate checks each claim of the agent before it counts as done.</p>
      <div onKeyDown={onKeyDown}>
        <input type="search" aria-label="Find a command" placeholder="Find a command" value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />
        <ul>
          {shown.map((command) => (
            <li key={command.name}><button type="button" class="quiet" disabled={command.isBlocked} onClick={() => choose(command)}>{command.name} {command.keys && <kbd>{command.keys}</kbd>}</button></li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function commands(): Command[] {
  const isLocked = isRunning.value || !('ready' in startup.value);
  const views = (Object.keys(TABS) as Tab[]).map((tab, at): Command => ({ name: TABS[tab], ...(at < 6 && { keys: `Alt+${at + 1}` }), run: () => showTab(tab) }));
  return [
    { name: 'Stop the run', keys: 'Ctrl+.', isBlocked: !isRunning.value, run: stop },
    ...views,
    { name: 'Choose the model', run: () => (dialog.value = 'model') },
    { name: 'Switch the colors', run: switchScheme },
    { name: 'Play a story', isBlocked: isLocked, run: () => (dialog.value = 'stories') },
    { name: 'New project', isBlocked: isLocked, run: () => void openProject('new') },
    { name: 'Reset project', isBlocked: isLocked, run: () => (dialog.value = 'reset') },
  ];
}

/** The keys of the page. An editor that uses one of them itself comes first. */
export function onPageKey(event: KeyboardEvent): void {
  const isCtrl = event.ctrlKey || event.metaKey;
  const at = event.altKey && !isCtrl ? Number(/^Digit([1-6])$/.exec(event.code)?.[1]) : 0;
  // Some keyboards write a character with Alt and a digit.
  const writes = !/^\d$/.test(event.key) && !!(event.target as Element).closest?.('input, textarea, [contenteditable]');
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  if (isCtrl && event.key === 'k') dialog.value = 'commands';
  else if (isCtrl && event.key === '.') stop(event);
  else if (at && !writes) showTab((Object.keys(TABS) as Tab[])[at - 1]!);
  else if (event.key === 'Escape' && (event.target as Element).closest?.('#task')) stop(event);
  else return;
  event.preventDefault();
}
