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

/** The theme of a plan, and what became of its command. */
export interface ThemeContext {
  applied: boolean;
  /** Empty where the plan gives none. */
  command: string;
  output: string;
  /** Why it is not applied. */
  error?: string;
  mood?: string;
  font?: string;
}

/** A section of a plan, and what it is built from. */
export interface SectionContext {
  gumdrop: string;
  variant?: string;
  /** Markdown with its front matter. */
  recipe: string | null;
  /** From the recipe's front matter. */
  components: string[];
  /** Such as `src/sections/HeroSection.tsx`; no two sections of a plan have the same. */
  suggestedFile: string;
}
