/**
 * assay as a library: define an experiment, look at its plan, run it, read what came of it.
 * @module
 */

export type { Dialect } from '../define/dialects/registry.ts'
export type { Experiment, MetricSource, MetricSourceSpec, SourceReading, TargetSpec } from '../define/experiment.ts'
export type { Attempt, Observation, RunRecord } from '../define/observation.ts'
export type { Outcome, OutcomeKind, Summary } from '../define/outcome.ts'
export type { OwnTarget } from '../define/own-modules.ts'
export type { Run } from '../define/run.ts'
export type { Bound, RunContext, Target } from '../define/target.ts'
export type { EngineEvent } from '../engine/call.ts'
export type { Executor } from '../execute/executor.ts'
export type {
  ContentPart,
  Delta,
  Message,
  ModelAnswer,
  ModelCall,
  PromptSize,
  Tool,
  ToolCall,
} from '../models/model-call.ts'
export type { Planner, PlannerMethod, PlannerOptions, PlannerTools } from '../plan/planner.ts'
export type { SeriesSoFar, Stop, Stopper, StopperRule } from '../plan/stoppers/registry.ts'
export type {
  History,
  Next,
  OwnStrategy,
  Strategy,
  SummaryRequest,
} from '../targets/agent/strategies/choose-strategy.ts'
export type { CallContext, RunFunction } from '../targets/inline.ts'
export { AssayError, type ErrorCode } from '../util/errors.ts'
export {
  type CompareOptions,
  compare,
  type EffectsOptions,
  effects,
  type PowerOptions,
  power,
  type ReportAnswer,
  type ReportOptions,
  type Runs,
  report,
  type SearchResults,
  searchResults,
  type VarianceOptions,
  variance,
} from './answers.ts'
export { BatchAnalyzer, type BatchAnalyzerOptions, type RunData } from './batch-analyzer.ts'
export {
  type DefinedExperiment,
  defineExperiment,
  type ExperimentDefinition,
  loadExperimentFile,
} from './define-experiment.ts'
export { type PlanOptions, plan, type RunOptions, type RunResult, run } from './run.ts'
export { openSearch, type Results, type Search, type SearchDefinition, type Suggestion } from './search.ts'
