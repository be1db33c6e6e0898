import { useRef } from 'preact/hooks';
import { dialog, isChat, isPhone, thread } from '../store';
import { announcement } from './announce';
import { Commands } from './Commands';
import { NavBar } from './NavBar';
import { Notices, Toast } from './Notices';
import { onDemand } from './onDemand';
import { ReplaceDialog } from './ReplaceDialog';
import { Splitter } from './Splitter';
import { Stage } from './Stage';
import { StoriesDialog } from './StoryGallery';
import { Composer } from './thread/Composer';
import { Thread } from './thread/Thread';
import { TopBar } from './TopBar';

const ModelDialog = onDemand(async () => (await import('./model/ModelDialog')).ModelDialog);

export function App() {
  const conversation = useRef<HTMLDivElement>(null);
  const showEnd = () => {
    isChat.value = true;
    conversation.current?.querySelector('.thread-list')?.scrollTo({ top: Number.MAX_SAFE_INTEGER });
  };
  return (
    <>
      <a class="skip-link" href="#task">Skip to the task</a>
      <TopBar onShowEnd={showEnd} />
      <Notices />
      <main class={`workbench ${isChat.value ? 'shows-chat' : 'shows-stage'}`} style={isPhone.value ? undefined : { gridTemplateColumns: `${thread.value}px minmax(0, 1fr)` }}>
        <div class="thread-column" ref={conversation} inert={isPhone.value && !isChat.value}>
          <Thread />
          <Composer />
        </div>
        {!isPhone.value && <Splitter />}
        <div class="stage-column" inert={isPhone.value && isChat.value}><Stage /></div>
      </main>
      {isPhone.value && <NavBar />}
      {dialog.value === 'model' && <ModelDialog />}
      {dialog.value === 'commands' && <Commands />}
      {(dialog.value === 'reset' || dialog.value === 'new' || dialog.value instanceof Object) && <ReplaceDialog what={dialog.value} />}
      {dialog.value === 'stories' && <StoriesDialog />}
      <Toast />
      <div class="visually-hidden" role="status" aria-live="polite">{announcement}</div>
    </>
  );
}
