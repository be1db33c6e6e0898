import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { previewErrors } from '../host/preview';
import { ChunksView } from './chunks/ChunksView';
import { CodeView } from './CodeView';
import { PlanView } from './plan/PlanView';
import { PreviewPane } from './PreviewPane';
import { ShellPane } from './ShellPane';
import { SpecsView } from './specs/SpecsView';

type Tab = 'code' | 'plan' | 'specs' | 'chunks' | 'shell' | 'preview';

const TABS: ReadonlyArray<{ tab: Tab; name: string }> = [{ tab: 'code', name: 'Code' }, { tab: 'plan', name: 'Plan' }, { tab: 'specs', name: 'Specs' }, { tab: 'chunks', name: 'Chunks' }, { tab: 'shell', name: 'Shell' }, { tab: 'preview', name: 'Preview' }];
const selected = signal<Tab>('code');
/** The plan's tab was shown once. The editor is created then and keeps its state. */
const planShown = signal(false);

export function showTab(tab: Tab): void {
  selected.value = tab;
  if (tab === 'plan') planShown.value = true;
}

export function Workspace() {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = TABS.findIndex(({ tab }) => tab === selected.value);
    const next = TABS[(at + step + TABS.length) % TABS.length]!;
    showTab(next.tab);
    bar.current?.querySelector<HTMLElement>(`#tab-${next.tab}`)?.focus();
  };
  return (
    <section class="panel workspace" aria-label="Workspace">
      <div class="tabs" role="tablist" aria-label="Workspace" ref={bar} onKeyDown={onKeyDown}>
        {TABS.map(({ tab, name }) => (
          <button key={tab} id={`tab-${tab}`} type="button" role="tab" aria-selected={selected.value === tab} aria-controls={`panel-${tab}`} tabIndex={selected.value === tab ? 0 : -1} onClick={() => showTab(tab)}>
            {name}
            {tab === 'preview' && previewErrors.value.length > 0 && <span class="tab-count"> {previewErrors.value.length}<span class="visually-hidden"> errors</span></span>}
          </button>
        ))}
      </div>
      <div class="tab-panels">
        <div id="panel-code" role="tabpanel" aria-labelledby="tab-code" hidden={selected.value !== 'code'} class="tab-panel"><CodeView /></div>
        <div id="panel-plan" role="tabpanel" aria-labelledby="tab-plan" hidden={selected.value !== 'plan'} class="tab-panel">{planShown.value && <PlanView />}</div>
        <div id="panel-specs" role="tabpanel" aria-labelledby="tab-specs" hidden={selected.value !== 'specs'} class="tab-panel"><SpecsView /></div>
        <div id="panel-chunks" role="tabpanel" aria-labelledby="tab-chunks" hidden={selected.value !== 'chunks'} class="tab-panel"><ChunksView /></div>
        <div id="panel-shell" role="tabpanel" aria-labelledby="tab-shell" hidden={selected.value !== 'shell'} class="tab-panel"><ShellPane /></div>
        {/* Always mounted and with a size, because gates run the project in it. */}
        <div id="panel-preview" role="tabpanel" aria-labelledby="tab-preview" class={`tab-panel ${selected.value === 'preview' ? '' : 'offstage'}`} inert={selected.value !== 'preview'}><PreviewPane /></div>
      </div>
    </section>
  );
}
