import { useComputed } from '@preact/signals';
import { PLAN } from '../plan/document';
import { openFile, openPath, tree } from '../project/project';
import { marksOf } from '../run/changes';
import { view } from '../run/session';
import { FileTree } from './FileTree';
import { showTab } from './Workspace';

export function FilesPanel() {
  const changes = useComputed(() => view.value.changes);
  const marks = useComputed(() => marksOf(changes.value));
  const open = (path: string) => {
    openFile(path);
    // The plan has an editor of its own.
    showTab(path === PLAN ? 'plan' : 'code');
  };
  return (
    <section class="panel files-panel" aria-labelledby="files-heading">
      <h2 id="files-heading" class="panel-title">Files</h2>
      <div class="panel-body">
        {tree.value.length === 0 ? <p class="empty">Opening the project …</p> : <FileTree nodes={tree.value} open={openPath.value} marks={marks.value} onOpen={open} />}
      </div>
    </section>
  );
}
