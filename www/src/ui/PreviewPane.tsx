import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { building, buildProject, latestBuild } from '../host/build';
import { previewErrors, previewRun, runPage, type PreviewRun } from '../host/preview';
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
      {run ? <PreviewFrame run={run} /> : <p class="empty">No build yet.</p>}
    </div>
  );
}

/** The frame of this page has a policy of its own. The page of each run is in a sandboxed frame inside it. */
function PreviewFrame({ run }: { run: PreviewRun }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const holder = useSignal<Document | null>(null);
  useEffect(() => (holder.value ? runPage(run, holder.value) : undefined), [holder.value, run.frame]);
  return <iframe ref={frame} class="preview-frame" title="Preview of the project" src="./preview.html" onLoad={() => (holder.value = frame.current?.contentDocument ?? null)} />;
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
