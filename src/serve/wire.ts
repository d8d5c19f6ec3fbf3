import type { Verdict } from '../analyze/compare/compare.ts'
import type { RunRecord } from '../define/observation.ts'
import type { Summary } from '../define/outcome.ts'
import type { Series } from '../define/run.ts'
import type { RunFile, RunFolder } from '../report/dataset/dataset.ts'

// Messages from the server to the page. Nothing here needs Node, so that both can import it.

/** The present state of an experiment: the repeated message of the event stream. */
export interface Progress {
  readonly name: string
  /** As in `assay status --json`, without its place. */
  readonly summary: Counts
  readonly control: 'go' | 'pause' | 'stop' | 'stop_now'
  /** The processes that work on it now. */
  readonly workers: readonly {
    readonly kind: string
    readonly host: string
    readonly pid: number
    readonly slots: number
  }[]
  /** Workers on other machines, where runs go through a queue. */
  readonly machines: readonly {
    readonly id: string
    readonly host: string
    readonly runs: number
    readonly slots: number
    readonly cpus: number
    readonly gpus: number
    readonly load: number
  }[]
  /** The predicted final cost; null if there is no prediction. */
  readonly forecast: { readonly estimate_usd: number; readonly low_usd: number; readonly high_usd: number } | null
  readonly budget_usd: number | null
  readonly limits: {
    readonly jobs: number
    readonly timeout_ms: number | null
    readonly budget_usd: number | null
    readonly run_budget_usd: number | null
  } | null
  readonly rates: readonly ProviderRate[]
  /** The longest running first, as many as can be displayed. */
  readonly running: readonly (RunningRun & { readonly series: readonly Series[] })[]
  /** Time until everything is done, at the pace of the last runs; null: unknown, or no process starts new ones. */
  readonly left_ms: number | null
  /** Why the last call stopped before everything was done; null: it did not, or a process is running it. */
  readonly stopped_by: string | null
  /** Whether the user who started the dashboard may write the journal. */
  readonly is_writable: boolean
  /** Changes whenever the dataset does. */
  readonly version: string
}

export type Counts = Omit<Summary, 'dir'>

export interface RunningRun {
  readonly run: string
  readonly attempt: number
  readonly started_at: number
}

/** How much of a provider's quota is used this minute. */
export interface ProviderRate {
  readonly provider: string
  readonly requests: number
  readonly rpm: number | null
  readonly tokens: number
  readonly tpm: number | null
  readonly at_once: number | null
  readonly wait_ms: number
}

/** How busy the machine is that the dashboard runs on. */
export interface HostUsage {
  readonly name: string
  readonly cores: number
  /** Share of all cores since the last look, 0 to 1; null at the first. */
  readonly cpu: number | null
  readonly load: number
  readonly memory_used_bytes: number
  readonly memory_total_bytes: number
}

/** One experiment in the list of all; or why it can't be read. */
export type Overview = ReadOverview | { readonly id: string; readonly problem: string }

export interface ReadOverview {
  /** Its path from the root. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly dialect: string
  readonly summary: Counts
  /** `running`, `paused`, `stopping`: a process is running it; otherwise `complete` or `partial`. */
  readonly state: 'running' | 'paused' | 'stopping' | 'complete' | 'partial'
  readonly budget_usd: number | null
  readonly metric: string | null
  readonly goal: 'minimize' | 'maximize' | null
  readonly best: { readonly value: number; readonly run: string } | null
  readonly created_at: number
  readonly last_at: number | null
  readonly tags: readonly string[]
  readonly version: string
}

/** The experiment's answer in words; `verdict` is null if nothing was compared. */
export interface Headline {
  readonly headline: string
  readonly verdict: Verdict | null
}

/** One run in full, as it is now, including the content of its folder. */
export interface RunDetails extends RunRecord, RunFolder {
  readonly files: readonly RunFile[]
}
