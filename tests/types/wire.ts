// What the wasm module sends and what the package promises are the same. It has to compile; nothing runs it.
import type * as api from 'loopgate';
import type * as wasm from '../../pkg/dist/loopgate.js';

/** Types that are the same, not just assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A type spelled out to the bottom, so that a named type and a written one can be compared. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

type Hold<T extends true> = T;

export type Reports = [
  Hold<Same<Plain<wasm.Diagnostic>, Plain<api.Diagnostic>>>,
  Hold<Same<Plain<wasm.ChangeMarker>, Plain<api.ChangeMarker>>>,
  Hold<Same<keyof wasm.PlanReport, keyof api.PlanReport>>,
  Hold<Same<Plain<Omit<wasm.PlanReport, 'root'>>, Plain<Omit<api.PlanReport, 'root'>>>>,
  Hold<Same<null extends wasm.PlanReport['root'] ? true : false, true>>,
  Hold<Same<keyof wasm.PlanNode, keyof api.PlanNode>>,
  // The wasm's word for a prop's value is recursive; the contract says how deep it goes.
  Hold<api.PlanNode extends wasm.PlanNode ? true : false>,
  Hold<Same<Plain<wasm.Registry>, Plain<api.Registry>>>,
  Hold<Same<Plain<wasm.PlanDiffEntry>, Plain<api.PlanDiffEntry>>>,
  Hold<Same<Plain<wasm.PlanDiff>, Plain<Awaited<ReturnType<typeof api.diffPlan>>>>>,
  Hold<Same<Plain<wasm.PlanAnswer>, Plain<Awaited<ReturnType<api.ShellCommand['execute']>>>>>,
  Hold<Same<Plain<wasm.ThemeContext>, Plain<api.ThemeContext>>>,
  Hold<Same<Plain<wasm.SectionContext>, Plain<api.SectionContext>>>,
  Hold<Same<Plain<wasm.PlanContext>, Plain<Awaited<ReturnType<typeof api.resolvePlanContext>>>>>,
  Hold<wasm.SnapshotInfo extends api.SnapshotInfo ? true : false>,
  Hold<Same<Plain<wasm.FileChange>, Plain<api.FileChange>>>,
  Hold<Same<Plain<wasm.GateReport>, Plain<api.GateReport>>>,
  Hold<Same<Plain<wasm.ScopeReport>, Plain<ReturnType<typeof api.checkScope>>>>,
  Hold<Same<Plain<wasm.Usage>, Plain<api.Usage>>>,
  Hold<Same<Plain<wasm.StructuredTask>, Plain<api.StructuredTask>>>,
  Hold<Same<wasm.IterationClose, api.IterationClose>>,
  Hold<Same<wasm.Phase, api.Phase>>,
  Hold<Same<wasm.AgentRole, api.AgentRole>>,
  Hold<Same<wasm.ErrorCode, api.ErrorCode>>,
  Hold<Same<Plain<wasm.Verification>, Plain<Answer<'verify'>>>>,
  Hold<wasm.SnapshotStatus extends Answer<'status'> ? true : false>,
  Hold<wasm.Rollback extends Answer<'rollback'> & Answer<'undo'> ? true : false>,
  Hold<wasm.RunResult extends api.RunResult ? true : false>,
  Hold<Same<keyof wasm.RunResult, keyof api.RunResult>>,
  Hold<wasm.UnfinishedRun extends api.UnfinishedRun ? true : false>,
  Hold<wasm.LimitName extends keyof api.Limits ? true : false>,
];

type Answer<Call extends keyof typeof api.snapshot> = NonNullable<Awaited<ReturnType<(typeof api.snapshot)[Call]>>>;

type OfType<Event extends { type: string }, Type> = Event extends unknown ? (Type extends Event['type'] ? Event : never) : never;

/** An event of the contract by its type, less the envelope. */
type Promised<Type> = Omit<OfType<api.RunEvent, Type>, 'v' | 'seq' | 'at' | 'runId'>;
/** A plan's report is held above. */
type Shared = Exclude<Extract<api.RunEvent['type'], wasm.Event['type']>, 'plan-checked'>;

/** Every event that both know has at least what the contract promises of it. */
type Kept = { [Type in Shared]: OfType<wasm.Event, Type> extends Promised<Type> ? true : false };

/** What only the journal needs: it may change without notice, so the package tells nothing of it. */
interface Internal {
  'run-started': 'taskNumber' | 'plan';
  'run-resumed': 'plan';
  'task-started': 'origin' | 'history' | 'plan' | 'stalePlan' | 'appliedTheme' | 'keptTheme' | 'wasEmpty';
  'plan-checked': 'plan';
  'iteration-finished': 'signal' | 'worked' | 'plan' | 'tree';
  'stall-detected': 'isLast';
}
type Sent<Type> = keyof OfType<wasm.Event, Type>;
/** The contract tells of every other field, and of no more. */
type Told = { [Type in wasm.Event['type']]: Same<Exclude<Sent<Type>, Type extends keyof Internal ? Internal[Type] : never>, keyof Promised<Type>> };
type Known = { [Type in keyof Internal]: Internal[Type] extends Sent<Type> ? true : false };

export type Events = [
  Hold<Kept[Shared]>,
  Hold<Told[wasm.Event['type']]>,
  Hold<Known[keyof Internal]>,
  Hold<Same<OfType<wasm.Event, 'plan-checked'>['report'], wasm.PlanReport>>,
  Hold<Same<Exclude<wasm.Event['type'], api.RunEvent['type']>, never>>,
  // What work of later versions tells of.
  Hold<Same<Exclude<api.RunEvent['type'], wasm.Event['type']>, 'plan-invalidated' | 'verification-checked' | 'review-given'>>,
];
