/** The command `theme`: lists, shows and applies themes. Loaded on demand, because it needs the color library and a CSS parser. */
import { defaultRegistry as registry } from 'loopgate';
import { readTextIfAny, type CommandContext } from '../shell/shell';
import { UsageError } from '../shell/words';
import { modify, type Change } from './modify';
import { MOODS, CHROMA_WORDS, MAX_CHROMA, type ThemeSettings, PRESETS } from './settings';
import { known, readOptions, type OptionKind, type Values } from './options';
import { readTheme, writeTheme } from './stylesheet';
import { themeOf, type Theme } from './theme';

export const SHEET = 'src/index.css';

export async function theme(args: readonly string[], context: CommandContext): Promise<string> {
  const [action, ...rest] = args;
  switch (action) {
    case 'list':
      return list(rest);
    case 'preset':
      return preset(rest, context);
    case 'generate':
      return generate(rest, context);
    case 'modify':
      return change(rest, context);
    default:
      throw new UsageError(`${action === undefined ? 'missing command' : `unknown command "${action}"`}: use theme list, preset, generate or modify`);
  }
}

const LOOK = {
  chroma: { from: 0, to: MAX_CHROMA, words: CHROMA_WORDS },
  font: { names: registry.fonts, what: 'font' },
  'mono-font': { names: registry.fonts, what: 'font' },
  'shadow-profile': { names: registry.shadowProfiles, what: 'shadow profile' },
  radius: { names: registry.radii, what: 'radius' },
  apply: 'flag',
} satisfies Record<string, OptionKind>;

function list(args: readonly string[]): string {
  if (args.length) throw new UsageError('theme list takes no arguments');
  const { presets, moods, patterns, fonts, shadowProfiles, radii } = registry;
  const lines = { presets, moods, patterns, fonts, 'shadow profiles': shadowProfiles, radii, chroma: [...Object.keys(CHROMA_WORDS), `0 to ${MAX_CHROMA}`] };
  return Object.entries(lines).map(([what, names]) => `${what}: ${names.join(', ')}\n`).join('');
}

async function preset(args: readonly string[], context: CommandContext): Promise<string> {
  const { rest, values } = readOptions(args, LOOK);
  if (rest.length !== 1) throw new UsageError('theme preset needs one name: `theme preset mono --apply`');
  const name = known(rest[0]!, [...registry.presets, ...registry.moods], 'preset or mood');
  const settings = withLook(PRESETS[name] ?? MOODS[name]!, values);
  return output(themeOf(settings), `the ${PRESETS[name] ? 'preset' : 'mood'} ${name}`, values, context);
}

async function generate(args: readonly string[], context: CommandContext): Promise<string> {
  const { rest, values } = readOptions(args, {
    ...LOOK,
    seed: { from: 0, to: 360 },
    pattern: { names: registry.patterns, what: 'pattern' },
    // In a plan, `mood` may also be a preset.
    mood: { names: [...registry.moods, ...registry.presets], what: 'mood or preset' },
  });
  if (rest.length) throw new UsageError(`theme generate only takes options, not "${rest[0]}"`);
  const { seed, pattern, mood = 'minimal' } = values as { seed?: number; pattern?: string; mood?: string };
  if (seed === undefined || pattern === undefined) throw new UsageError('theme generate needs --seed and --pattern: `theme generate --seed 180 --pattern triadic --apply`');
  const base = MOODS[mood] ?? PRESETS[mood]!;
  // Without a hue, the greys follow the new seed.
  const settings = withLook({ ...base, seed, pattern, tint: { chroma: base.tint.chroma } }, values);
  return output(themeOf(settings), `seed ${seed}, ${pattern}, ${mood}`, values, context);
}

async function change(args: readonly string[], context: CommandContext): Promise<string> {
  const { rest, values } = readOptions(args, {
    'shift-hue': { from: -360, to: 360 },
    'scale-chroma': { from: 0, to: 4 },
    font: LOOK.font,
    'mono-font': LOOK['mono-font'],
    'shadow-profile': LOOK['shadow-profile'],
    radius: LOOK.radius,
    apply: 'flag',
  });
  if (rest.length) throw new UsageError(`theme modify only takes options, not "${rest[0]}"`);
  const changes: Change = {
    shiftHue: values['shift-hue'] as number | undefined,
    scaleChroma: values['scale-chroma'] as number | undefined,
    font: values.font as string | undefined,
    monoFont: values['mono-font'] as string | undefined,
    shadowProfile: values['shadow-profile'] as string | undefined,
    radius: values.radius as string | undefined,
  };
  if (Object.values(changes).every((value) => value === undefined)) throw new UsageError('theme modify needs at least one change: `theme modify --shift-hue 15 --apply`');
  const now = readTheme(await readSheet(context));
  if (!now.light.has('background')) throw new Error(`${SHEET} has no theme yet: apply one with \`theme preset\` or \`theme generate\``);
  return output(modify(now, changes), 'the changed theme', values, context);
}

function withLook(settings: ThemeSettings, values: Values): ThemeSettings {
  return {
    ...settings,
    chroma: (values.chroma as number | undefined) ?? settings.chroma,
    font: (values.font as string | undefined) ?? settings.font,
    monoFont: (values['mono-font'] as string | undefined) ?? settings.monoFont,
    shadowProfile: (values['shadow-profile'] as string | undefined) ?? settings.shadowProfile,
    radius: (values.radius as string | undefined) ?? settings.radius,
  };
}

/** Writes the theme, or prints it without `--apply`. */
async function output(theme: Theme, name: string, { apply }: Values, context: CommandContext): Promise<string> {
  if (!apply) return `${writeTheme('', theme)}\n/* Not applied: add --apply to write it into ${SHEET}. */\n`;
  const before = await readSheet(context);
  const after = writeTheme(before, theme);
  const about = `${name} (${theme.light.size} variables for light, ${theme.dark.size} for dark, primary ${theme.light.get('primary')})`;
  if (after === before) return `${SHEET} already has ${about}\n`;
  await context.fs.writeFile(context.inProject(SHEET), after);
  return `Applied ${about} to ${SHEET}\n`;
}

const readSheet = ({ fs, inProject }: CommandContext): Promise<string> => readTextIfAny(fs, inProject(SHEET));
