import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openLines, openPath, readText, revision } from '../project/project';
import { bytes } from '../run/describe';

export function CodeView() {
  const path = openPath.value;
  const file = useSignal<{ path: string; text: string | null } | null>(null);
  useEffect(() => {
    let current = true;
    if (path) void readText(path).then((text) => current && (file.value = { path, text }));
    return () => {
      current = false;
    };
  }, [path, revision.value]);

  const marked = openLines.value;
  const mark = useRef<HTMLElement>(null);
  const isRead = file.value?.path === path;
  // The region has the focus, so that the keyboard continues from the line.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' });
    mark.current?.closest<HTMLElement>('.code-scroll')?.focus({ preventScroll: true });
  }, [path, marked, isRead]);

  if (!path) return <p class="empty">Choose a file to view it.</p>;
  if (!file.value || !isRead) return <p class="empty">Loading {path} …</p>;
  const { text } = file.value;
  if (text === null) return <p class="empty"><code>{path}</code> was deleted.</p>;
  const all = text.split('\n');
  const lines = all.length;
  const [first, last] = marked ? [Math.min(marked[0], lines), Math.min(Math.max(...marked), lines)] : [lines + 1, lines];
  const part = (from: number, to: number) => all.slice(from, to).map((line, at) => (from + at + 1 < lines ? `${line}\n` : line)).join('');
  return (
    <div class="code-view">
      <p class="code-path"><code>{path}</code> <span class="muted">{lines} lines, {bytes(new Blob([text]).size)}, read only</span></p>
      <div class="code-scroll" tabIndex={0} role="region" aria-label={`Contents of ${path}`}>
        <pre class="line-numbers" aria-hidden="true">{Array.from({ length: lines }, (_, index) => index + 1).join('\n')}</pre>
        <pre class="code"><code>{part(0, first - 1)}{marked && <mark ref={mark} class="marked-lines" data-lines={`${first}-${last}`}>{part(first - 1, last)}</mark>}{part(last, lines)}</code></pre>
      </div>
    </div>
  );
}
