import type { Experiment } from '../../define/experiment.ts'
import { usualLimits } from '../../define/limits.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Journal } from './journal.ts'

/** What is asked of everyone who works on the experiment. */
export type Control = 'go' | 'pause' | 'stop' | 'stop_now'

export interface ExperimentRow {
  /** Eight letters and digits, given once. */
  readonly short_id: string
  readonly name: string
  readonly definition: string
  readonly fingerprint: string
  readonly generation: number
  readonly generation_hash: string
  readonly plan_options: string
  readonly planned: number | null
  readonly planner_state: string | null
  readonly planner_done: number
  readonly planner_seen: number
  readonly control: Control
  readonly limits_set: string
  readonly spent_usd: number
  readonly reserved_usd: number
  readonly overrun_usd: number
  readonly created_at: number
}

export function readExperiment(journal: Journal): ExperimentRow | undefined {
  return journal.get<ExperimentRow>('SELECT * FROM experiment')
}

export function definitionOf(row: ExperimentRow): Experiment {
  const written = JSON.parse(row.definition) as Experiment
  // A directory of an earlier version has no limits that came later.
  return { ...written, limits: { ...usualLimits(), ...written.limits } }
}

/** Writes the definition as it is now; what was run before stays. */
export function writeDefinition(
  journal: Journal,
  experiment: Experiment,
  fingerprint: { readonly hash: string; readonly parts: JsonObject },
  now: number,
): void {
  journal.transaction(() => {
    journal.run(
      `INSERT INTO experiment (id, short_id, name, definition, fingerprint, created_at)
       VALUES (1, lower(hex(randomblob(4))), ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, definition = excluded.definition, fingerprint = excluded.fingerprint`,
      experiment.name,
      JSON.stringify(experiment),
      fingerprint.hash,
      now,
    )
    journal.run(
      'INSERT INTO fingerprints (hash, parts) VALUES (?, ?) ON CONFLICT DO NOTHING',
      fingerprint.hash,
      JSON.stringify(fingerprint.parts),
    )
  })
}

/** How the plan in force is made. */
export function planOptionsOf(row: ExperimentRow): PlannerOptions {
  return JSON.parse(row.plan_options) as PlannerOptions
}

export function fingerprintParts(journal: Journal, hash: string): JsonObject | undefined {
  const row = journal.get<{ parts: string }>('SELECT parts FROM fingerprints WHERE hash = ?', hash)
  return row && (JSON.parse(row.parts) as JsonObject)
}

export function setControl(journal: Journal, control: Control): void {
  journal.run('UPDATE experiment SET control = ? WHERE control <> ?', control, control)
}

/** By file: the digest that it had at the last call. */
export function programDigests(journal: Journal): { readonly [file: string]: string } {
  const row = journal.get<{ programs: string }>('SELECT programs FROM experiment')
  return JSON.parse(row?.programs ?? '{}') as { [file: string]: string }
}

export function writeProgramDigests(journal: Journal, digests: { readonly [file: string]: string }): void {
  journal.run('UPDATE experiment SET programs = ?', JSON.stringify(digests))
}

/** Limits that `assay set` laid over those of the configuration. */
export function limitsSet(row: ExperimentRow): JsonObject {
  return JSON.parse(row.limits_set) as JsonObject
}

export function writeLimitsSet(journal: Journal, limits: JsonObject): void {
  journal.run('UPDATE experiment SET limits_set = ?', JSON.stringify(limits))
}
