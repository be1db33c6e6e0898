import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BuildMessage } from 'loopgate';
import { building, isTemplate, latestBuild } from '../host/build';
import { openInTab, previewErrors, previewRun, reload, runPage, shownFrame } from '../host/preview';
import { count } from '../run/describe';
import { isRunning } from '../run/session';
import { openFileAt } from '../store';
import { propose } from '../task/preview';
import { focusComposer } from './focus';
import { Icon } from './Icon';

const WIDTHS = [1440, 768, 390] as const;

export function PreviewPane() {
  const width = useSignal<number | null>(null);
  const run = previewRun.value;
  return (
    <div class="preview-pane" aria-busy={building.value}>
      <div class="view-bar" role="toolbar" aria-label="Preview">
        <button type="button" class="quiet icon-only" aria-label="Reload the page" title="Reload" onClick={() => void reload()}><Icon name="restore" /></button>
        <span class="widths" role="group" aria-label="Width of the page">
          {WIDTHS.map((each) => <button key={each} type="button" class="quiet small" aria-pressed={width.value === each} title={`${each} pixels wide`} onClick={() => (width.value = width.value === each ? null : each)}>{each}</button>)}
        </span>
        <span class="path muted">/</span>
        <button type="button" class="quiet small" disabled={!run} title="Open this page in a new tab" onClick={openInTab}><Icon name="send" /> Open</button>
      </div>
      <div class={`build-line ${building.value ? 'is-building' : ''}`} role="status"><span class="visually-hidden">{building.value ? 'Building' : ''}</span></div>
      {run ? <Stage width={width.value} /> : !latestBuild.value && <p class="empty">The page is built …</p>}
      {/* Its color is made for the page of the template. */}
      {isTemplate.value && run?.frame === shownFrame.value && <p class="page-hint">Your page appears here</p>}
      <ErrorPill errors={previewErrors.value} />
    </div>
  );
}

/**
 * `preview.html` with a policy of its own, which holds the page that is shown and the one that replaces it. A page that is wider than
 * the pane is scaled down.
 */
function Stage({ width }: { width: number | null }) {
  const area = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const holder = useSignal<Document | null>(null);
  const size = useSignal({ width: 0, height: 0 });
  const run = previewRun.value!;
  useEffect(() => (holder.value ? runPage(run, holder.value) : undefined), [holder.value, run.frame]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => (size.value = { width: entry!.contentRect.width, height: entry!.contentRect.height }));
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);
  const scale = width && size.value.width ? Math.min(1, size.value.width / width) : 1;
  const style = width ? { width, height: size.value.height / scale, transform: `scale(${scale})`, marginLeft: Math.max(0, (size.value.width - width) / 2) } : { width: '100%', height: '100%' };
  return (
    <div class="page-area" ref={area}>
      <iframe ref={frame} class="preview-frame" style={style} title="Preview of the project" src="./preview.html" onLoad={() => (holder.value = frame.current?.contentDocument ?? null)} />
    </div>
  );
}

/** What is wrong with the page of the present files, above the last one that works. */
function ErrorPill({ errors }: { errors: BuildMessage[] }) {
  if (!errors.length) return null;
  const isShown = previewRun.value?.frame === shownFrame.value && !latestBuild.value?.errors.length;
  return (
    <details class="error-pill tone-bad">
      <summary><Icon name="warning" /> {isShown ? '' : 'Last working page · '}{count(errors.length, 'error')} <span class="link if-closed">Show</span><span class="link if-open">Hide</span></summary>
      <ul aria-label="Errors of the page">{errors.map((error, index) => <li key={index}><Where {...error} />{error.message}</li>)}</ul>
      {!isRunning.value && <button type="button" class="small" onClick={() => askToFix(errors)}>Ask the agent to fix</button>}
    </details>
  );
}

function Where({ file, line }: BuildMessage) {
  if (!file) return null;
  return <><button type="button" class="link" onClick={() => openFileAt(file, line)}>{file}{line !== undefined && `:${line}`}</button> </>;
}

/** Writes the task; the user sends it. */
function askToFix(errors: BuildMessage[]): void {
  const [first] = errors;
  propose(`Fix ${errors.length === 1 ? 'this error' : `these ${errors.length} errors`} of the page: ${first!.message}${first!.file ? ` (${first!.file}${first!.line ? `:${first!.line}` : ''})` : ''}`);
  focusComposer();
}
