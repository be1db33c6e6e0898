/** The outline of a plan: theme, screens, sections and data, with markers, verdicts and build state. Pure. */
import type { ChangeMarker, PlanDiffEntry, PlanNode, PlanReport, Diagnostic } from 'loopgate';
import type { MarkerVerdict } from './scope';

export interface OutlineItem {
  kind: 'app' | 'theme' | 'screen' | 'section' | 'data' | 'schema' | 'endpoint';
  name: string;
  /** A short summary of the props. */
  about: string;
  line: number;
  column: number;
  markers: OutlineMarker[];
  built?: Built;
  items: OutlineItem[];
}

export interface OutlineMarker extends ChangeMarker {
  /** Absent if the marker is not judged: it belongs to another task or to no section. */
  judged?: Pick<MarkerVerdict, 'verdict' | 'reason'>;
}

export interface Built {
  status: 'implemented' | 'deviation' | 'missing';
  /** The file that implements it, and the difference. */
  found?: string;
  detail?: string;
}

/** `null` if the plan does not parse. `entries` come from `diffPlan`, `verdicts` from `checkScope`. */
export function outline(report: PlanReport, entries: readonly PlanDiffEntry[], verdicts: readonly MarkerVerdict[] = []): OutlineItem | null {
  const { root, markers } = report;
  if (!root || root.component !== 'App') return null;
  const marks = new Markers(judged(markers, verdicts));
  const built = new Entries(entries);
  return {
    ...item('app', text(root.props.name) || 'App', text(root.props.description), root),
    items: root.children.flatMap((child) => {
      if (child.component === 'Theme') return [themeItem(child, marks, built)];
      if (child.component === 'Data') return [dataItem(child, built)];
      return screensBelow(child).map((screen) => screenItem(screen, marks, built));
    }),
  };
}

export const unplanned = (entries: readonly PlanDiffEntry[]): PlanDiffEntry[] => entries.filter(({ status }) => status === 'extra');

function themeItem(theme: PlanNode, marks: Markers, built: Entries): OutlineItem {
  const { mood, seed, pattern, font, monoFont, shadowProfile, radius, chroma } = theme.props;
  const about = [seed !== undefined && `seed ${text(seed)}`, pattern, chroma !== undefined && `chroma ${text(chroma)}`, font, monoFont, shadowProfile && `shadow ${text(shadowProfile)}`, radius && `radius ${text(radius)}`];
  return { ...item('theme', text(mood) || 'Theme', words(about), theme), markers: marks.of(null, null), built: built.ofTheme() };
}

function screenItem(screen: PlanNode, marks: Markers, built: Entries): OutlineItem {
  const name = text(screen.props.name);
  const labels = new Map<string, number>();
  const entry = built.next('screen', name);
  const items = sectionsBelow(screen).map((section) => {
    const gumdrop = text(section.props.gumdrop);
    const nth = (labels.get(gumdrop) ?? 0) + 1;
    labels.set(gumdrop, nth);
    // The label in markers and comparisons.
    const label = !gumdrop ? `#${section.line}` : nth > 1 ? `${gumdrop}#${nth}` : gumdrop;
    const about = words([section.props.variant, ...parts(section)]);
    return { ...item('section', gumdrop || 'no section type', about, section), markers: marks.of(name || null, label), built: built.next('section', label) };
  });
  return { ...item('screen', name || 'unnamed', text(screen.props.layout), screen), markers: marks.of(name || null, null), built: entry, items };
}

function dataItem(data: PlanNode, built: Entries): OutlineItem {
  const items = data.children.flatMap((child): OutlineItem[] => {
    const name = text(child.props.name ?? child.props.resource);
    if (child.component === 'Schema') return [{ ...item('schema', name, words([child.props.fields]), child), built: built.next('data', `Schema ${name}`) }];
    if (child.component === 'Endpoint') return [{ ...item('endpoint', name, words([child.props.pattern]), child), built: built.next('data', `Endpoint ${name}`) }];
    return [];
  });
  return { ...item('data', 'Data', '', data), items };
}

/** Such as `3 columns, 1 action`. */
function parts(section: PlanNode): string[] {
  return ['Column', 'Field', 'Action', 'Slot', 'Gumdrop', 'Custom'].flatMap((component) => {
    const number = section.children.filter((child) => child.component === component).length;
    return number ? [`${number} ${component.toLowerCase()}${number === 1 ? '' : 's'}`] : [];
  });
}

/** Screens and sections may be nested in other components and in unknown tags. */
function screensBelow(node: PlanNode): PlanNode[] {
  return node.component === 'Screen' ? [node] : node.children.flatMap(screensBelow);
}

function sectionsBelow(screen: PlanNode): PlanNode[] {
  return screen.children.flatMap((child) => {
    if (child.component === 'Screen') return [];
    return child.component === 'Section' ? [child, ...sectionsBelow(child)] : sectionsBelow(child);
  });
}

/** Both lists are in plan order: each verdict belongs to the first marker of its kind and section without one. */
function judged(markers: readonly ChangeMarker[], verdicts: readonly MarkerVerdict[]): OutlineMarker[] {
  const left = [...verdicts];
  return markers.map((marker) => {
    // The gate calls the second `hero` `hero`, not `hero#2`.
    const key = marker.section?.replace(/#\d+$/, '') ?? marker.screen;
    const at = left.findIndex((verdict) => verdict.marker === marker.kind && verdict.section === key);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    return found ? { ...marker, judged: { verdict: found.verdict, reason: found.reason } } : marker;
  });
}

class Markers {
  constructor(private readonly markers: readonly OutlineMarker[]) {}

  of = (screen: string | null, section: string | null): OutlineMarker[] =>
    this.markers.filter((marker) => marker.screen === screen && marker.section === section);
}

/** Entries are in plan order: each item takes the first unused entry of its name. */
class Entries {
  private readonly left: PlanDiffEntry[];

  constructor(entries: readonly PlanDiffEntry[]) {
    this.left = entries.filter(({ status }) => status !== 'extra');
  }

  next(category: PlanDiffEntry['category'], planned: string): Built | undefined {
    const at = this.left.findIndex((entry) => entry.category === category && entry.planned === planned);
    const [entry] = at < 0 ? [] : this.left.splice(at, 1);
    return entry && builtOf(entry);
  }

  /** A theme has one entry per prop. The worst one counts. */
  ofTheme(): Built | undefined {
    const entries = this.left.filter(({ category }) => category === 'theme');
    const worst = (['missing', 'deviation', 'implemented'] as const).map((status) => entries.filter((entry) => entry.status === status)).find((found) => found.length);
    if (!worst) return undefined;
    const { status, found } = builtOf(worst[0]!);
    return { status, found, ...(status !== 'implemented' && { detail: worst.map(({ planned, detail }) => words([planned, detail])).join('; ') }) };
  }
}

const builtOf = ({ status, found, detail }: PlanDiffEntry): Built => ({ status: status === 'extra' ? 'deviation' : status, found, detail });

function item(kind: OutlineItem['kind'], name: string, about: string, { line, column }: PlanNode): OutlineItem {
  return { kind, name, about, line, column, markers: [], items: [] };
}

function text(value: PlanNode['props'][string] | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return (Array.isArray(value) ? value : Object.keys(value)).join(', ');
}

const words = (values: ReadonlyArray<PlanNode['props'][string] | undefined>): string => values.filter((value) => value !== undefined && value !== false && value !== '').map(text).join(', ');

export interface Problem extends Diagnostic {
  severity: 'error' | 'warning';
}

/** Errors first. */
export function problemsOf(report: PlanReport | null): Problem[] {
  const errors = (report?.failures ?? []).map((problem) => ({ ...problem, severity: 'error' as const }));
  return [...errors, ...(report?.warnings ?? []).map((problem) => ({ ...problem, severity: 'warning' as const }))];
}

/** The message in plain words. The view shows its line and suggestions separately. */
export const plainMessage = ({ message, suggestions = [] }: Pick<Diagnostic, 'message' | 'suggestions'>): string =>
  message.replace(/^Line \d+: /, '').replace(suggestions.length ? / Did you mean [^?]*\?/ : '', '').replace('Unknown gumdrop', 'There is no section type').replace(/(of )?the registry's gumdrops/, 'section types').replace(/gumdrop(?=[ .])/, 'section type');
