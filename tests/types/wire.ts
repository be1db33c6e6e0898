// The types of the wasm module equal the public ones; `sent.ts` compares the events. This file is only compiled.
import type * as api from 'loopgate';
import type * as wasm from '../../pkg/dist/loopgate.js';

/** Types that are equal, not only assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Expands a type recursively, so that named and inline types can be compared. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

type Hold<T extends true> = T;

export type Reports = [
  Hold<Same<Plain<wasm.Diagnostic>, Plain<api.Diagnostic>>>,
  Hold<Same<Plain<wasm.ChangeMarker>, Plain<api.ChangeMarker>>>,
  Hold<Same<keyof wasm.PlanReport, keyof api.PlanReport>>,
  Hold<Same<Plain<Omit<wasm.PlanReport, 'root'>>, Plain<Omit<api.PlanReport, 'root'>>>>,
  Hold<Same<null extends wasm.PlanReport['root'] ? true : false, true>>,
  Hold<Same<keyof wasm.PlanNode, keyof api.PlanNode>>,
  // The wasm type of a prop's value is recursive; the public type has a fixed depth.
  Hold<api.PlanNode extends wasm.PlanNode ? true : false>,
  Hold<Same<Plain<wasm.Registry>, Plain<api.Registry>>>,
  Hold<Same<Plain<wasm.PlanDiffEntry>, Plain<api.PlanDiffEntry>>>,
  Hold<Same<Plain<wasm.PlanDiff>, Plain<Awaited<ReturnType<typeof api.diffPlan>>>>>,
  Hold<Same<Plain<wasm.PlanAnswer>, Plain<Awaited<ReturnType<api.ShellCommand['execute']>>>>>,
  Hold<Same<Plain<wasm.ThemeContext>, Plain<api.ThemeContext>>>,
  Hold<Same<Plain<wasm.SectionContext>, Plain<api.SectionContext>>>,
  Hold<Same<Plain<wasm.PlanContext>, Plain<Awaited<ReturnType<typeof api.resolvePlanContext>>>>>,
  Hold<Same<Plain<SentSnapshot>, Plain<api.SnapshotInfo>>>,
  Hold<Same<Plain<wasm.FileChange>, Plain<api.FileChange>>>,
  Hold<Same<Plain<wasm.GateReport>, Plain<api.GateReport>>>,
  Hold<Same<Plain<wasm.VerificationResult>, Plain<api.VerificationResult>>>,
  Hold<Same<Plain<wasm.ScopeReport>, Plain<ReturnType<typeof api.checkScope>>>>,
  Hold<Same<Plain<wasm.Judgement>, Plain<ReturnType<typeof api.parseReview>>>>,
  Hold<Same<wasm.ReviewTier, api.ReviewTier>>,
  Hold<Same<Plain<wasm.Usage>, Plain<api.Usage>>>,
  Hold<Same<Plain<wasm.StructuredTask>, Plain<api.StructuredTask>>>,
  Hold<Same<wasm.Phase, api.Phase>>,
  Hold<wasm.AgentRole extends api.AgentRole ? true : false>,
  Hold<wasm.ErrorCode extends api.ErrorCode ? true : false>,
  Hold<Same<Plain<wasm.Verification>, Plain<Answer<'verify'>>>>,
  Hold<Same<Plain<Omit<wasm.SnapshotStatus, 'last'> & { last: SentSnapshot | null }>, Plain<Answer<'status'>>>>,
  Hold<Same<Plain<wasm.Rollback>, Plain<Answer<'rollback'>>>>,
  Hold<Same<Plain<wasm.Rollback>, Plain<Answer<'undo'>>>>,
  Hold<Same<wasm.CompletionSignal, api.CompletionSignal>>,
];

type Answer<Call extends keyof typeof api.snapshot> = NonNullable<Awaited<ReturnType<(typeof api.snapshot)[Call]>>>;

/** What is sent has the kind; a journal of an earlier release may lack it. */
type SentSnapshot = Omit<wasm.SnapshotInfo, 'kind'> & Required<Pick<wasm.SnapshotInfo, 'kind'>>;
