/**
 * The demo's recipes: how each kind of section is built well. The harness asks for those that a plan needs, and hands them to the
 * agent at the start of BUILD.
 */
import type { Recipe } from 'loopgate';

const sources = import.meta.glob<string>('./*.md', { query: '?raw', import: 'default', eager: true });

export const recipes: readonly Recipe[] = Object.entries(sources).map(([path, content]) => ({ id: `gumdrop-${path.replace('./', '').replace('.md', '')}`, content }));

export const recipe = (id: string): Recipe | null => recipes.find((recipe) => recipe.id === id) ?? null;
