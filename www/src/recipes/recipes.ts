/**
 * The demo's recipes: build instructions for each kind of section. The harness looks up the recipes of the plan and passes them to the
 * agent at the start of BUILD.
 */
import type { Recipe } from 'loopgate';

const sources = import.meta.glob<string>('./*.md', { query: '?raw', import: 'default', eager: true });

export const recipes: readonly Recipe[] = Object.entries(sources).map(([path, content]) => ({ id: `gumdrop-${path.replace('./', '').replace('.md', '')}`, content }));

export const recipe = (id: string): Recipe | null => recipes.find((recipe) => recipe.id === id) ?? null;
