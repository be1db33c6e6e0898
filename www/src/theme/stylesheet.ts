/** Reads and writes the theme of a style sheet. Nothing else in the sheet changes. */
import postcss, { type AtRule, type Container, type Declaration, type Root, type Rule } from 'postcss';
import type { Theme } from './theme';

const LIGHT = ':root';
const DARK = '.dark';

/** The custom properties of `:root` and `.dark`, without dashes. Throws with line and column for invalid CSS. */
export function readTheme(sheet: string): Theme {
  const root = postcss.parse(sheet);
  return { light: variables(root, LIGHT), dark: variables(root, DARK) };
}

/** The sheet with this theme. Idempotent. */
export function writeTheme(sheet: string, theme: Theme): string {
  const root = postcss.parse(sheet);
  const light = write(root, LIGHT, theme.light);
  write(root, DARK, theme.dark, light);
  const text = root.toString();
  return text.endsWith('\n') ? text : `${text}\n`;
}

function variables(root: Root, selector: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const rule of rulesOf(root, selector)) {
    for (const declaration of customProperties(rule)) found.set(declaration.prop.slice(2), declaration.value);
  }
  return found;
}

/** Writes the variables to the first rule that has some of them, else to the first rule of the selector, else to a new one. */
function write(root: Root, selector: string, theme: ReadonlyMap<string, string>, after?: Rule): Rule {
  const rules = rulesOf(root, selector);
  const isOfTheme = (declaration: Declaration) => theme.has(declaration.prop.slice(2));
  const home = rules.find((rule) => customProperties(rule).some(isOfTheme)) ?? rules[0] ?? insertRule(root, selector, after);
  const missing = new Map(theme);
  for (const rule of rules.includes(home) ? rules : [home]) {
    for (const declaration of customProperties(rule).filter(isOfTheme)) {
      const name = declaration.prop.slice(2);
      // A second declaration would override the first one.
      if (rule !== home || !missing.has(name)) declaration.remove();
      else declaration.value = missing.get(name)!;
      if (rule === home) missing.delete(name);
    }
  }
  const before = indentation(home);
  for (const [name, value] of missing) home.append({ prop: `--${name}`, value, raws: { before } });
  return home;
}

/** The whitespace before a new declaration, as before the others of its rule. */
function indentation(rule: Rule): string {
  const lines = rule.nodes.map(({ raws }) => raws.before ?? '').filter((before) => before.includes('\n'));
  return (lines[0] ?? '\n  ').replace(/^\s*\n/, '\n');
}

/** Inserts after imports and similar rules at the top, and the dark theme after the light one. */
function insertRule(root: Root, selector: string, after?: Rule): Rule {
  const rule = postcss.rule({ selector });
  const top = root.nodes.findLast((node) => node.type === 'atrule' && ['charset', 'import', 'tailwind', 'layer'].includes(node.name) && !node.nodes);
  const place = (after && outermost(after)) ?? top;
  if (place) place.after(rule);
  else root.prepend(rule);
  rule.raws = { between: ' ', semicolon: true, before: place ? '\n\n' : '', after: '\n' };
  const next = rule.next();
  if (next && !/\n\s*\n/.test(next.raws.before ?? '')) next.raws.before = '\n\n';
  return rule;
}

/** Rules with this exact selector at the top level or in a layer. */
function rulesOf(root: Root, selector: string): Rule[] {
  const found: Rule[] = [];
  root.walkRules((rule) => {
    if (rule.selectors.includes(selector) && isUnconditional(rule)) found.push(rule);
  });
  return found;
}

function isUnconditional({ parent }: Rule | AtRule): boolean {
  if (!parent || parent.type === 'root') return true;
  return parent.type === 'atrule' && (parent as AtRule).name === 'layer' && isUnconditional(parent as AtRule);
}

const customProperties = (rule: Rule): Declaration[] => rule.nodes.filter((node) => node.type === 'decl').filter((declaration) => declaration.prop.startsWith('--'));

/** The top-level node that contains this one. */
function outermost(rule: Rule): Rule | AtRule {
  let node: Rule | AtRule = rule;
  while (node.parent && node.parent.type !== 'root') node = node.parent as Container as AtRule;
  return node;
}
