export interface PlanReport {
  ok: boolean;
  root: PlanNode | null;
  failures: Diagnostic[];
  warnings: Diagnostic[];
  markers: ChangeMarker[];
}

export interface PlanNode {
  component: string;
  props: Record<string, string | number | boolean | Array<string | number | boolean> | Record<string, string | number | boolean>>;
  children: PlanNode[];
  line: number;
  column: number;
}

export interface Diagnostic {
  id: string;
  message: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  suggestions?: string[];
}

export interface ChangeMarker {
  kind: 'ADD' | 'MODIFY' | 'FIX' | 'REMOVE' | 'NO CHANGES' | 'PRESERVED';
  task: number | null;
  count: number | null;
  existing: number | null;
  text: string;
  screen: string | null;
  section: string | null;
  line: number;
}

/** The names that a plan may use. */
export interface Registry {
  moods: string[];
  presets: string[];
  patterns: string[];
  fonts: string[];
  shadowProfiles: string[];
  radii: string[];
  gumdrops: string[];
  components: string[];
  gridHeavyGumdrops: string[];
  statefulGumdrops: string[];
}

/** One thing that is planned, or that is there without being planned. */
export interface PlanDiffEntry {
  status: 'implemented' | 'deviation' | 'missing' | 'extra';
  category: 'screen' | 'section' | 'theme' | 'data';
  /** A screen's name, a section's gumdrop (`hero#2` for the second of a screen), `font="Inter"`, `Schema drink`; empty for what is not planned. */
  planned: string;
  /** The file that builds it. */
  found?: string;
  /** Where it is planned, and what differs. */
  detail?: string;
}

export interface ThemeContext {
  applied: boolean;
  command: string;
  output: string;
  error?: string;
  mood?: string;
  font?: string;
}
