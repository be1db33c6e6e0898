import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { shortModelName } from '../model/choice';
import { projectName } from '../model/story/stories';
import { downloadProject } from '../project/project';
import { openProject } from '../run/begin';
import { dollars } from '../run/describe';
import { isRunning, stop, view } from '../run/session';
import { pageState } from '../run/state';
import { dialog, isDark, isPhone, otherTab, showTab, startup, switchScheme, TABS } from '../store';
import gate from './gate.svg';
import { Icon } from './Icon';
import { Menu } from './Menu';

import { ModelButton } from './model/ModelButton';
import { Phases } from './Phases';
import { PHONE_MENU } from './Stage';

export function TopBar({ onShowEnd }: { onShowEnd(): void }) {
  const ready = 'ready' in startup.value;
  const locked = isRunning.value || 'step' in startup.value;
  const { text } = pageState.value;
  return (
    <header class="top-bar">
      <div class="top-bar-side">
        <h1 class="brand"><img src={gate} alt="" width="22" height="22" /> loopgate</h1>
        <Menu kind="project-menu" button={<><span class="visually-hidden">Project: </span><span class="project-name">{projectName}</span> <Icon name="fold" /></>}>
          {isPhone.value && (
            <>
              {PHONE_MENU.map((name) => <button key={name} type="button" class="quiet" onClick={() => showTab(name)}>{TABS[name]}</button>)}
              <hr />
              <button type="button" class="quiet" onClick={() => (dialog.value = 'model')}>Model: {shortModelName.value}</button>
              <button type="button" class="quiet" onClick={() => (dialog.value = 'commands')}>Help and commands</button>
              <button type="button" class="quiet" onClick={switchScheme}>{schemeName()}</button>
              <hr />
            </>
          )}
          <button type="button" class="quiet" disabled={locked || !ready} onClick={() => (dialog.value = 'stories')}>Stories</button>
          <button type="button" class="quiet" disabled={locked || !ready} onClick={() => void openProject('new')}>New project</button>
          <button type="button" class="quiet" disabled={!ready} onClick={() => void downloadProject()}>Download</button>
          <button type="button" class="quiet danger" disabled={locked} onClick={() => (dialog.value = 'reset')}>Reset project</button>
        </Menu>
      </div>
      <p class="visually-hidden" data-testid="status"><span>Status: </span>{text}</p>
      <RunChip onShowEnd={onShowEnd} />
      <div class="top-bar-side top-bar-actions">
        {isPhone.value && isRunning.value && !otherTab.value && (
          <button type="button" class="danger icon-only" aria-label={view.value.status === 'stopping' ? 'Stop now' : 'Stop'} onClick={stop}><Icon name="stop" /></button>
        )}
        {!isPhone.value && (
          <>
            <ModelButton />
            <button type="button" class="quiet icon-only" aria-label="Help and commands" aria-keyshortcuts="Control+K" onClick={() => (dialog.value = 'commands')}>?</button>
            <button type="button" class="quiet icon-only" aria-label={schemeName()} onClick={switchScheme}><Icon name={isDark.value ? 'sun' : 'moon'} /></button>
          </>
        )}
      </div>
      {'step' in startup.value && <div class="progress" role="progressbar" aria-label={startup.value.step} />}
    </header>
  );
}

const schemeName = (): string => (isDark.value ? 'Use the light colors' : 'Use the dark colors');

/** The state of a run: in words, attempt, time and cost. Only while it runs or waits for the user. */
function RunChip({ onShowEnd }: { onShowEnd(): void }) {
  const { text, tone, isOpen } = pageState.value;
  const { attempt, usage, status } = view.value;
  if (!isOpen) return <div />;
  const isShort = isPhone.value && status === 'running';
  return (
    <div class={`run-chip tone-${tone}`}>
      <button type="button" class="quiet" onClick={onShowEnd}>
        <span class="run-dot" aria-hidden="true" />
        {isShort ? <span class="visually-hidden">{text}</span> : text}
        {attempt > 0 && <span><span class={isPhone.value ? 'visually-hidden' : ''}>attempt </span>{attempt}</span>}
        {isRunning.value && <Elapsed />}
        {usage?.costUsd !== undefined && usage.costUsd > 0 && !isPhone.value && <span>{dollars(usage.costUsd, false)}</span>}
      </button>
      <Phases />
    </div>
  );
}

/** The running time. */
function Elapsed() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const { elapsedMs, lastAt } = view.value;
  const seconds = Math.max(0, Math.floor((elapsedMs + now.value - (lastAt ?? now.value)) / 1000));
  return <span aria-hidden="true">{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}</span>;
}
