import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import { previewErrors } from '../host/preview';
import { count } from '../run/describe';
import type { Tone } from '../run/entry';
import { view } from '../run/session';
import { changed, placeOfRun } from '../snapshots/snapshots';
import { isPhone, showTab, tab, TABS, type Tab } from '../store';
import { ChecksView } from './ChecksView';
import { Icon, type IconName } from './Icon';
import { Menu } from './Menu';
import { onDemand } from './onDemand';
import { PreviewPane } from './PreviewPane';
import { VersionsView } from './VersionsView';

const VIEWS: Record<Tab, ComponentType> = {
  preview: PreviewPane,
  changes: onDemand(async () => (await import('./ChangesView')).ChangesView),
  code: onDemand(async () => (await import('./CodeView')).CodeView),
  plan: onDemand(async () => (await import('./plan/PlanView')).PlanView),
  specs: onDemand(async () => (await import('./specs/SpecsView')).SpecsView),
  checks: ChecksView,
  shell: onDemand(async () => (await import('./ShellPane')).ShellPane),
  events: onDemand(async () => (await import('./thread/EventsView')).EventsView),
  versions: VersionsView,
};
const MAIN: readonly Tab[] = ['preview', 'changes', 'code', 'plan', 'specs', 'checks'];
const MORE: readonly Tab[] = ['versions', 'shell', 'events'];
/** What the bar of a phone has no place for. */
export const PHONE_MENU: readonly Tab[] = ['plan', 'checks', ...MORE];
/** Code has both on a phone. */
export const CODE: readonly Tab[] = ['code', 'changes'];

/** A view is created when it is shown first, and then keeps its state. The gates run the project in the preview. */
const shown = new Set<Tab>(['preview', 'versions', 'checks']);

export function Stage() {
  shown.add(tab.value);
  const bar = useRef<HTMLDivElement>(null);
  const tabs = MAIN.includes(tab.value) ? MAIN : [...MAIN, tab.value];
  const open = (name: Tab) => {
    showTab(name);
    requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(tab.value);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    open(tabs.at(next % tabs.length)!);
  };
  return (
    <section class="stage" aria-label="Stage">
      {isPhone.value ? CODE.includes(tab.value) && (
        <div class="stage-bar" role="group" aria-label="Code">
          {CODE.map((name) => <button key={name} type="button" class="quiet" aria-pressed={tab.value === name} onClick={() => showTab(name)}>{TABS[name]}</button>)}
        </div>
      ) : (
        <div class="stage-bar">
          <div class="tabs" role="tablist" aria-label="Views" ref={bar} onKeyDown={onKeyDown}>
            {tabs.map((name) => (
              <button key={name} id={`tab-${name}`} type="button" role="tab" aria-selected={tab.value === name} aria-controls={`panel-${name}`} tabIndex={tab.value === name ? 0 : -1} onClick={() => showTab(name)}>
                {TABS[name]}
                {name === 'preview' && <ErrorCount />}
                {name === 'changes' && changed.value.project.length > 0 && <Count number={changed.value.project.length} of="file" />}
                {name === 'checks' && <CheckCount />}
              </button>
            ))}
          </div>
          <Menu name="More views" kind="icon-only" button={<Icon name="more" />}>
            {MORE.map((name) => <button key={name} type="button" class="quiet" onClick={() => open(name)}>{TABS[name]}</button>)}
          </Menu>
        </div>
      )}
      <div class="tab-panels">
        {[...MAIN, ...MORE].filter((name) => shown.has(name)).map((name) => {
          const View = VIEWS[name];
          const isShown = tab.value === name;
          const labels = isPhone.value ? { 'aria-label': TABS[name] } : { 'aria-labelledby': `tab-${name}` };
          // The preview always has a size.
          const hiding = name === 'preview' ? { inert: !isShown } : { hidden: !isShown };
          return <div key={name} id={`panel-${name}`} role={isPhone.value ? 'region' : 'tabpanel'} {...labels} class={`tab-panel ${isShown ? '' : 'offstage'}`} {...hiding}><View /></div>;
        })}
      </div>
    </section>
  );
}

const Count = ({ number, of, tone = 'neutral', icon }: { number: number; of: string; tone?: Tone; icon?: IconName }) => (
  <span class={`tab-count tone-${tone}`}><span aria-hidden="true">{number}{icon && <Icon name={icon} />}</span><span class="visually-hidden"> {count(number, of)}</span></span>
);

export const ErrorCount = () => previewErrors.value.length > 0 && <Count number={previewErrors.value.length} of="error" tone="bad" />;

/** What failed in the last round of checks, or what passed. */
function CheckCount() {
  const applied = view.value.gates.filter(({ notApplicable }) => !notApplicable);
  const failed = applied.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').length;
  // A restored version has other files.
  if (!applied.length || placeOfRun(view.value) === 'later') return null;
  return failed ? <Count number={failed} of="failed check" tone="bad" icon="cross" /> : <Count number={applied.length} of="passed check" tone="good" icon="check" />;
}
