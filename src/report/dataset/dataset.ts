import type { Experiment, SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import type { JsonObject } from '../../util/json.ts'
import type { RunStory, RunTrajectory } from './turns.ts'

/** Everything in a report: what was run, the results, and the environment. Plain data, in a browser too. */
export interface Dataset {
  readonly title: string
  /** The version of assay that made it. */
  readonly assay: string
  readonly experiments: readonly ExperimentFacts[]
  readonly evidence: Evidence
  /** For each run of the evidence, in the same order. */
  readonly folders: readonly RunFolder[]
  readonly kept: Kept
}

/** One source of the evidence; for a table little is known. */
export interface ExperimentFacts {
  /** Its name in the evidence. */
  readonly name: string
  readonly description: string
  readonly dialect: string | null
  /** Where it is, as a user would write it: `results/quickstart`. */
  readonly place: string
  /** The places of its other directories: shards and copies of it. */
  readonly parts?: readonly string[]
  /** The configuration file's name; null: defined in code, or a table. */
  readonly config: string | null
  /** Values that look like secrets are masked. */
  readonly definition: Experiment | null
  readonly search: SearchSpec | null
  readonly standing: Standing | null
  /** The facts recorded by each process that worked on it, oldest first. */
  readonly processes: readonly JsonObject[]
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

/** How many runs are in which state: they add up to `planned`. */
export interface Standing {
  readonly planned: number
  readonly states: { readonly [state: string]: number }
  readonly attempts: number
  readonly cost_usd: number
  readonly overrun_usd: number
  readonly budget_usd: number | null
}

/** The content of a run's folder, as far as it was kept. */
export interface RunFolder {
  /** null: it has no folder, or there was no room for the list. */
  readonly files: readonly RunFile[] | null
  /** Its output, as far as it was kept. */
  readonly output: readonly OutputTail[]
  /** Its model calls, agents, tools and scores, in order, as far as they were kept. */
  readonly trace: readonly TraceTurn[]
  /** The asserts that its answer did not satisfy; empty if it passed, or had none. */
  readonly unmet: readonly UnmetAssert[]
  /** The answer to a prompt; null: there is none, it is not to be shown, or there was no room. */
  readonly answer: string | null
  /** For a run of a task: what its agent did, and its scores; null: it is not one, or there was no room. */
  readonly task: TaskWork | null
  /** What its agent did, turn by turn; null: it has no `trajectory.json`, or there was no room. */
  readonly trajectory: RunTrajectory | null
  /** For a run of a scenario: what happened in it, turn by turn; null: it is not one, or there was no room. */
  readonly story: RunStory | null
  /** For series that were thinned: the number that the whole series gives, or why it gives none; by `reducedKey`. */
  readonly reduced: { readonly [key: string]: number | string }
}

export interface UnmetAssert {
  readonly type: string
  /** Empty if answers are not to be shown. */
  readonly reason: string
}

export interface RunFile {
  /** Inside the run's folder. */
  readonly path: string
  readonly bytes: number
}

export interface OutputTail {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
  /** Of the whole file. */
  readonly bytes: number
}

/** A span of a run's trace. For a model call: the messages since the last call, and the answer. */
export interface TraceTurn {
  readonly name: string
  /** How many of the spans above it are shown: an agent's calls and tools are one deeper than the agent. */
  readonly depth: number
  /** Another program that sent it; null: assay itself. */
  readonly service: string | null
  /** `agent`, `summary`, `judge`, …; null: not recorded. */
  readonly purpose: string | null
  readonly started_at: number | null
  readonly ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly cost_usd: number | null
  readonly is_cached: boolean
  readonly error: string | null
  readonly scores: readonly TraceScore[]
  /** How many messages before these are shared with the last call below the same span. */
  readonly repeated: number
  readonly messages: readonly TraceMessage[]
  readonly answer: readonly TraceMessage[]
}

export interface TraceScore {
  readonly name: string
  readonly value: number | null
  /** `pass`, `fail`. */
  readonly label: string | null
  readonly explanation: string | null
}

export interface TraceMessage {
  /** The speaker, or the kind of entry: `user`, `assistant`, `tool call`. */
  readonly role: string
  readonly text: string
}

/** What an agent did on a task and how it was scored, as far as it was kept. Texts are shortened. */
export interface TaskWork {
  readonly score: number | null
  readonly passed: boolean | null
  /** Why there is no score. */
  readonly problem: string | null
  readonly agent: TaskAgent | null
  /** Rewards, and the task's own measurements. */
  readonly numbers: { readonly [name: string]: number }
  readonly tests: TaskTests
  readonly rubrics: TaskRubrics
  readonly sandbox: TaskSandbox | null
  /** The beginning of the changes as a patch; null: there is none. */
  readonly diff: TextPart | null
  /** The ends of non-empty logs, the agent's own first. */
  readonly logs: readonly TextPart[]
}

export interface TaskAgent {
  readonly name: string
  readonly model: string | null
  /** `exited`, `timed_out`, `out_of_memory`, … */
  readonly ended: string
  readonly exit_code: number | null
  readonly wall_s: number | null
  readonly calls: number | null
  readonly tokens: number | null
  readonly tool_calls: number | null
  readonly cost_usd: number | null
}

export interface TaskTests {
  readonly total: number
  readonly passed: number
  /** Failed ones first. */
  readonly kept: readonly { readonly name: string; readonly passed: boolean; readonly output: string }[]
}

export interface TaskRubrics {
  readonly total: number
  readonly kept: readonly TaskRubric[]
  /** Of all rubrics, by the judges; null: none judged. */
  readonly weighted_score: number | null
  /** On how many rubrics all judgements are on the same side of one half; null: there was one judge, or none. */
  readonly agreement: number | null
}

export interface TaskRubric {
  readonly id: string
  readonly criterion: string
  readonly weight: number | null
  /** By its tests; null: it has none. */
  readonly score: number | null
  readonly tests: number
  readonly tests_passed: number
  /** The mean of the judgements; null: it was not judged. */
  readonly judged: number | null
  /** The largest difference between two judgements. */
  readonly spread: number
  readonly judgements: readonly { readonly judge: string; readonly score: number | null; readonly reason: string }[]
}

/** How a run was isolated. */
export interface TaskSandbox {
  readonly backend: string
  readonly version: string
  readonly isolation: string
  readonly network: string
  /** Limits that this sandbox can't enforce: `memory`, `processes`, `storage`. */
  readonly unenforced: readonly string[]
  /** Steps of the environment that the host provides, according to the user. */
  readonly provided: readonly string[]
  readonly notes: readonly string[]
}

/** A part of a text file of a run. */
export interface TextPart {
  /** Inside the run's folder. */
  readonly path: string
  readonly text: string
  /** Of the whole file. */
  readonly bytes: number
  /** How many bytes are left out. */
  readonly left_bytes: number
}

/** What was left out to save space, so that the page can say so. */
interface Kept {
  /** At most so many points of each series; null: all. */
  readonly series_points: number | null
  /** Runs with output, and for how many of them its end is included. */
  readonly printed: number
  readonly with_output: number
  readonly with_files: boolean
  readonly traced: number
  readonly with_trace: number
  /** Runs of tasks, and for how many of them the agent's work is included. */
  readonly tasks: number
  readonly with_task: number
  /** Runs with a trajectory, and for how many of them it is included. */
  readonly trajectories: number
  readonly with_trajectory: number
  /** Runs of scenarios, and for how many of them the story is included. */
  readonly stories: number
  readonly with_story: number
}

/** For a run without a folder, or whose folder was not read. */
export const noFolder: RunFolder = {
  ...{ files: null, output: [], trace: [], unmet: [], answer: null },
  ...{ task: null, trajectory: null, story: null, reduced: {} },
}
