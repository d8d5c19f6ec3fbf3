/**
 * assay as a library: define an experiment, look at its plan, run it, read what came of it.
 * @module
 */
export { BatchAnalyzer, type BatchAnalyzerOptions, type RunData } from './api/batch-analyzer.ts'
export {
  type DefinedExperiment,
  defineExperiment,
  type ExperimentDefinition,
  loadExperimentFile,
} from './api/define-experiment.ts'
export { type PlanOptions, plan } from './api/plan.ts'
export { type RunOptions, type RunResult, run } from './api/run.ts'
export { openSearch, type Search, type SearchDefinition, type Suggestion } from './api/search.ts'
export { type SearchResults, searchResults } from './api/search-results.ts'
export type { Experiment } from './define/experiment.ts'
export type { Outcome, OutcomeKind } from './define/outcome.ts'
export type { Run } from './define/run.ts'
export type { EngineEvent } from './engine/events.ts'
export type { RecordedRun } from './record/read/recorded-run.ts'
export type { Summary } from './record/summary.ts'
export type { CallContext } from './targets/function/call-context.ts'
export type { RunFunction } from './targets/inline.ts'
export { AssayError, type ErrorCode } from './util/errors.ts'
