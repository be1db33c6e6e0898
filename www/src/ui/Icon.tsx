/** Line icons. They repeat the text next to them, so screen readers skip them. */
const SHAPES = {
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5L14 13H2zM8 6.5v3M8 11.2v.1',
  dot: 'M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3',
  circle: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  file: 'M4 1.8h5L12.2 5v9.2H4zM9 1.8V5h3.2',
  play: 'M5 3.2v9.6L12.6 8z',
  stop: 'M4 4h8v8H4z',
  restore: 'M3 8a5 5 0 1 0 1.6-3.65M3 2.5v2.8h2.8',
  camera: 'M2 5h3l1-1.5h4L11 5h3v8H2zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  sun: 'M8 5.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M8 1.5v1.7M8 12.8v1.7M1.5 8h1.7M12.8 8h1.7M3.4 3.4l1.2 1.2M11.4 11.4l1.2 1.2M3.4 12.6l1.2-1.2M11.4 4.6l1.2-1.2',
  moon: 'M13 9.8A5.5 5.5 0 0 1 6.2 3a5.5 5.5 0 1 0 6.8 6.8',
  send: 'M2 8h11M9 4l4 4-4 4',
  down: 'M8 3v9M4 8.5L8 12.5l4-4',
  fold: 'M4 6l4 4 4-4',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  chat: 'M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z',
  eye: 'M1.5 8s2.3-4.3 6.5-4.3S14.5 8 14.5 8s-2.3 4.3-6.5 4.3S1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  code: 'M5.5 4L1.8 8l3.7 4M10.5 4l3.7 4-3.7 4',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.7 4h.1M2.7 8h.1M2.7 12h.1',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
