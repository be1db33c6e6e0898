import { building, buildProject, latestBuild } from '../host/build';
import { previewErrors, previewRun } from '../host/preview';
import type { BuildMessage } from 'loopgate';
import { Icon } from './Icon';

export function PreviewPane() {
  const problems = latestBuild.value?.errors ?? [];
  const run = previewRun.value;
  return (
    <div class="preview-pane">
      <p class="code-path">
        <span class="muted">{building.value ? 'Building …' : problems.length ? 'The build failed. This is the last successful build.' : 'Built and run in this tab'}</span>
        <button type="button" class="quiet" disabled={building.value} onClick={() => void buildProject()}><Icon name="restore" /> Rebuild</button>
      </p>
      <Messages title="Build errors" messages={problems} />
      <Messages title="Runtime errors" messages={previewErrors.value} />
      {run ? <iframe key={run.frame} class="preview-frame" title="Preview of the project" sandbox="allow-scripts" srcDoc={run.document} /> : <p class="empty">No build yet.</p>}
    </div>
  );
}

function Messages({ title, messages }: { title: string; messages: BuildMessage[] }) {
  if (!messages.length) return null;
  return (
    <div class="messages problem" role="group" aria-label={title}>
      <strong>{title}</strong>
      <ul>{messages.map((message, index) => <li key={index}>{message.file && <code>{message.file}{message.line !== undefined && `:${message.line}:${message.column ?? 1}`}</code>} {message.message}</li>)}</ul>
    </div>
  );
}
