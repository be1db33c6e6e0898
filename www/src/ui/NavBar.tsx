import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownFrame } from '../host/preview';
import { isChat, showTab, tab, type Tab } from '../store';
import { Icon, type IconName } from './Icon';
import { CODE, ErrorCount } from './Stage';

const VIEWS: ReadonlyArray<{ name: string; icon: IconName; tab?: Tab }> = [
  { name: 'Chat', icon: 'chat' },
  { name: 'Preview', icon: 'eye', tab: 'preview' },
  { name: 'Code', icon: 'code', tab: 'code' },
  { name: 'Specs', icon: 'list', tab: 'specs' },
];

/** The views of a phone. */
export function NavBar() {
  /** The page that the user has seen. The first one is the page at the start. */
  const seen = useSignal(1);
  const isPreview = !isChat.value && tab.value === 'preview';
  useEffect(() => {
    if (isPreview) seen.value = shownFrame.value;
  }, [isPreview, shownFrame.value]);
  const isNew = !isPreview && shownFrame.value > seen.value;
  return (
    <nav class="nav-bar" aria-label="Views">
      {VIEWS.map((view) => {
        const isShown = view.tab ? !isChat.value && (tab.value === view.tab || (view.tab === 'code' && CODE.includes(tab.value))) : isChat.value;
        const hasNews = view.tab === 'preview' && isNew;
        return (
          <button key={view.name} type="button" class={`quiet ${hasNews ? 'has-news' : ''}`} title={hasNews ? 'The page has changed' : undefined} aria-current={isShown ? 'page' : undefined} onClick={() => (view.tab ? showTab(view.tab) : (isChat.value = true))}>
            <Icon name={view.icon} />
            <span>{view.name}{view.tab === 'preview' && <ErrorCount />}</span>
          </button>
        );
      })}
    </nav>
  );
}
