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

export interface ThemeContext {
  applied: boolean;
  command: string;
  output: string;
  error?: string;
  mood?: string;
  font?: string;
}
