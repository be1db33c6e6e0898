import { resizeThread, thread, THREAD } from '../store';

/** The handle between thread and stage: a range input whose thumb is the line. Drag it, or use the arrow keys; a double click restores the default. */
export function Splitter() {
  const { min, max, step } = THREAD;
  return (
    <input
      type="range"
      class="splitter"
      aria-label="Width of the conversation"
      aria-valuetext={`${thread.value} pixels`}
      style={{ left: `${min}px`, width: `${max - min}px` }}
      min={min}
      max={max}
      step={step}
      value={thread.value}
      onInput={(event) => resizeThread(event.currentTarget.valueAsNumber)}
      onDblClick={() => resizeThread(null)}
    />
  );
}
