import { documents, setDocument } from '../code/documents';
import { keepMine, takeTheirs } from '../plan/document';

/** The file was changed or deleted while its editor had unsaved changes. */
export function Conflict({ path }: { path: string }) {
  const document = documents.value.get(path);
  if (!document?.theirs) return null;
  return (
    <p class="code-note tone-warn" role="alert">
      {document.theirs.text === null ? 'The file was deleted' : 'The file has changed'}, and you have unsaved changes.
      <button type="button" class="small" onClick={() => setDocument(path, keepMine(document))}>Keep mine</button>
      <button type="button" class="small" onClick={() => setDocument(path, takeTheirs(document))}>Take the file</button>
    </p>
  );
}
