import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { openPath, readText, revision } from '../project/project';
import { bytes } from '../run/describe';

export function CodeView() {
  const path = openPath.value;
  const text = useSignal<string | null | undefined>(undefined);
  useEffect(() => {
    let current = true;
    if (path) void readText(path).then((read) => current && (text.value = read));
    return () => {
      current = false;
    };
  }, [path, revision.value]);

  if (!path) return <p class="empty">Choose a file to view it.</p>;
  if (text.value === undefined) return <p class="empty">Loading {path} …</p>;
  if (text.value === null) return <p class="empty"><code>{path}</code> was deleted.</p>;
  const lines = text.value.split('\n').length;
  return (
    <div class="code-view">
      <p class="code-path"><code>{path}</code> <span class="muted">{lines} lines, {bytes(new Blob([text.value]).size)}, read only</span></p>
      <div class="code-scroll" tabIndex={0} role="region" aria-label={`Contents of ${path}`}>
        <pre class="line-numbers" aria-hidden="true">{Array.from({ length: lines }, (_, index) => index + 1).join('\n')}</pre>
        <pre class="code"><code>{text.value}</code></pre>
      </div>
    </div>
  );
}
