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

/** A planned item, or one in the sources that is not planned. */
export interface PlanDiffEntry {
  status: 'implemented' | 'deviation' | 'missing' | 'extra';
  category: 'screen' | 'section' | 'theme' | 'data';
  /** A screen's name, a section's gumdrop (`hero#2` for the second of a screen), `font="Inter"` or `Schema drink`; empty if not planned. */
  planned: string;
  /** The file that implements it. */
  found?: string;
  /** The position in the plan, and the difference. */
  detail?: string;
}

/** The theme of a plan and the result of its command. */
export interface ThemeContext {
  applied: boolean;
  /** Empty if the plan has no theme. */
  command: string;
  output: string;
  /** Why it is not applied. */
  error?: string;
  mood?: string;
  font?: string;
}

export interface SectionContext {
  gumdrop: string;
  variant?: string;
  /** Markdown with its front matter. */
  recipe: string | null;
  /** From the recipe's front matter. */
  components: string[];
  /** Such as `src/sections/HeroSection.tsx`; unique within a plan. */
  suggestedFile: string;
}
