import { parse } from '@babel/parser';
import init, { validatePlan } from 'loopgate';
import { compareFirst, compareWarm, publish } from '../measure.ts';
import plan from './plan.tsx?raw';

await init();

const ours = () => {
  const report = validatePlan(plan);
  if (!report.ok) throw new Error(`the plan is refused: ${JSON.stringify(report.failures)}`);
  return report;
};
const theirs = () => parse(plan, { sourceType: 'module', plugins: ['jsx', 'typescript'] });

const oursWithTree = () => {
  const { root } = ours();
  if (!root) throw new Error('the report has no tree');
  return root;
};

publish([
  compareFirst('plan of 2 KB, first call', ours, theirs),
  compareWarm('plan of 2 KB', ours, theirs),
  { ...compareWarm('plan of 2 KB, with its tree', oursWithTree, theirs), goal: 2.5 },
]);
