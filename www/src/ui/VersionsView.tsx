import { useSignal } from '@preact/signals';
import { clock } from '../run/describe';
import { isRunning } from '../run/session';
import { chosenBase, current, currentVersion, history, label, messageOf, placeOf, restore, saveVersion, snapshotError } from '../snapshots/snapshots';
import { backupTitle, nameOf, type Version } from '../snapshots/versions';
import { showTab } from '../store';
import { Dialog } from './Dialog';
import { Icon } from './Icon';
import { Menu } from './Menu';

/** The versions of the project, newest first, and the ways back to them. */
export function VersionsView() {
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const isLocked = busy.value || isRunning.value;
  const act = async (action: () => Promise<void>) => {
    // A second click may come before the button is rendered as disabled.
    if (busy.peek()) return;
    [busy.value, problem.value] = [true, null];
    await action().catch((error) => (problem.value = messageOf(error)));
    busy.value = false;
  };
  const naming = useSignal<Naming | null>(null);
  const shared = {
    isLocked,
    onRestore: (tag: string, name: string) => void act(() => restore(tag, name)),
    onRename: (tag: string, title: string) => (naming.value = { tag, title }),
    onPin: (tag: string, pinned: boolean) => void act(() => label(tag, { pinned })),
  };
  const { versions, backups } = history.value;
  const wrong = problem.value ?? snapshotError.value;
  return (
    <div class="versions-view">
      <div class="view-bar">
        <strong>Versions</strong>
        <button type="button" class="small bar-end" disabled={isLocked} onClick={() => (naming.value = { title: '' })}><Icon name="camera" /> Save a version</button>
      </div>
      {wrong && <p class="problem code-note" role="alert">{wrong}</p>}
      {versions.length === 0 && <p class="empty">No versions yet. Each task that is done becomes one.</p>}
      <ol class="versions" reversed>
        {versions.map((version) => <Row key={version.id} version={version} place={placeOf(version)} {...shared} />)}
      </ol>
      {backups.length > 0 && (
        <details class="backups">
          <summary class="muted">Automatic backups ({backups.length})</summary>
          <ol class="versions" reversed>
            {backups.map((info) => <Row key={info.tag} version={{ id: info.tag, title: backupTitle(info, versions), at: info.at, tag: info.tag }} place={currentVersion.value === null && current.value === info.tag ? 'current' : null} {...shared} />)}
          </ol>
        </details>
      )}
      {naming.value && <NameDialog {...naming.value} onClose={() => (naming.value = null)} onName={(tag, name) => void act(() => (tag ? label(tag, { name }) : saveVersion(name)))} />}
    </div>
  );
}

/** The version that gets a name; without a tag, it is saved with it. */
interface Naming {
  tag?: string;
  title: string;
}

function NameDialog({ tag, title, onName, onClose }: Naming & { onName(tag: string | undefined, name: string): void; onClose(): void }) {
  const name = useSignal(title);
  const confirm = () => {
    onName(tag, name.value.trim());
    onClose();
  };
  return (
    <Dialog title={tag ? 'Rename the version' : 'Save a version'} confirm={tag ? 'Rename' : 'Save'} blocked={!tag && !name.value.trim()} onConfirm={confirm} onClose={onClose}>
      <label class="studio-field">Name<input type="text" value={name.value} autofocus onFocus={(event) => event.currentTarget.select()} onInput={(event) => (name.value = event.currentTarget.value)} /></label>
    </Dialog>
  );
}

interface RowProps {
  version: Version;
  place: ReturnType<typeof placeOf>;
  isLocked: boolean;
  onRestore(tag: string, name: string): void;
  onRename(tag: string, title: string): void;
  onPin(tag: string, pinned: boolean): void;
}

function Row({ version, place, isLocked, onRestore, onRename, onPin }: RowProps) {
  const isCurrent = place === 'current';
  const { number, title, at, tag, before, pinned = false } = version;
  const labelled = (tag ?? before)!;
  const name = nameOf(version);
  return (
    <li class={`version ${place === 'later' ? 'is-later' : ''}`} data-tag={tag} data-before={before} aria-current={isCurrent}>
      <strong>{title}</strong>
      {(isCurrent || pinned) && <span class="version-pills">{isCurrent && <span class="pill tone-good">Current</span>}{pinned && <span class="pill">Pinned</span>}</span>}
      <span class="muted">{number ? `version ${number} · ` : tag ? '' : 'not finished · '}<time dateTime={new Date(at).toISOString()}>{clock(at)}</time></span>
      <span class="version-actions">
        {tag && <button type="button" class="quiet small" aria-label={`Changes since ${name}`} onClick={() => { chosenBase.value = tag; showTab('changes'); }}>Changes since</button>}
        <Menu name={`Restore ${name}`} kind="small" button={<><Icon name="restore" /> Restore</>}>
          {tag && <button type="button" class="quiet" disabled={isLocked || isCurrent} onClick={() => onRestore(tag, name)}>Restore this version</button>}
          {before && <button type="button" class="quiet" disabled={isLocked} onClick={() => onRestore(before, `the files before ${name}`)}>Restore before it</button>}
        </Menu>
        <button type="button" class="quiet small" disabled={isLocked} aria-label={`Rename ${name}`} onClick={() => onRename(labelled, title)}>Rename</button>
        <button type="button" class="quiet small" disabled={isLocked} aria-label={`Pin ${name}`} aria-pressed={pinned} title="A pinned version is never removed or replaced" onClick={() => onPin(labelled, !pinned)}>Pin</button>
      </span>
    </li>
  );
}
