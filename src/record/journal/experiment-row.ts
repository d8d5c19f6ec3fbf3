import type { Experiment } from '../../define/experiment.ts'
import {
  definitionVersion,
  limitsSetIn,
  refuseNewer,
  refuseToReplaceNewer,
  storedExperiment,
  storedText,
} from '../../define/stored/stored-experiment.ts'
import type { ModelIds } from '../../define/target.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import { sha256 } from '../../util/hash.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import type { Clock } from '../../util/time.ts'
import { number, numberOrNull, oneOf, type RowOf, text, textOrNull } from './columns.ts'
import { damagedFile } from './damage.ts'
import { isBusy, type Journal } from './journal.ts'
import { isText, jsonIn, mapIn, objectIn, planOptionsIn } from './stored.ts'

const controls = ['go', 'pause', 'stop', 'stop_now'] as const

/** What all processes working on the experiment are asked to do. */
export type Control = (typeof controls)[number]

const experimentColumns = {
  /** Eight letters and digits, given once. */
  shortId: text,
  name: text,
  /** The id of its definition: another definition has another id. {@link definitionOf} reads it. */
  definition: text,
  fingerprint: text,
  generation: number,
  generationHash: text,
  planOptions: text,
  planned: numberOrNull,
  plannerState: textOrNull,
  plannerDone: number,
  plannerSeen: number,
  control: oneOf(controls),
  limitsSet: text,
  spentUsd: number,
  reservedUsd: number,
  overrunUsd: number,
  createdAt: number,
  /** The definition before `--seeds` changed it for a call. {@link ownDefinitionOf} reads it. */
  ownDefinition: text,
  definitionHash: text,
  /** How many runs the whole definition has, whatever calls selected; null: that depends on results. */
  definitionPlanned: numberOrNull,
}

/** The experiment as the journal knows it. */
export type RecordedExperiment = Omit<RowOf<typeof experimentColumns>, 'plannerDone'> & {
  /** The planner has proposed every run that it will. */
  readonly isPlanDone: boolean
}

const experimentSql = `SELECT short_id AS shortId, name, definition, fingerprint, generation,
  generation_hash AS generationHash, plan_options AS planOptions, planned, planner_state AS plannerState,
  planner_done AS plannerDone, planner_seen AS plannerSeen, control, limits_set AS limitsSet, spent_usd AS spentUsd,
  reserved_usd AS reservedUsd, overrun_usd AS overrunUsd, created_at AS createdAt, own_definition AS ownDefinition,
  definition_hash AS definitionHash, definition_planned AS definitionPlanned FROM experiment`

export function readExperiment(journal: Journal): RecordedExperiment | undefined {
  const row = journal.get(experimentColumns, experimentSql)
  if (row === undefined) return undefined
  const { plannerDone, ...recorded } = row
  return { ...recorded, isPlanDone: plannerDone === 1 }
}

/** The definition in force; `row` names it. */
export function definitionOf(journal: Journal, { definition }: Pick<RecordedExperiment, 'definition'>): Experiment {
  return definitionWith(journal, definition)
}

/** The same without the seeds that `--seeds` put in place of its own: what shards and copies have in common. */
export function ownDefinitionOf(journal: Journal, row: RecordedExperiment): Experiment {
  return definitionWith(journal, row.ownDefinition)
}

/** The same, where this process wrote the definition and need not read it again. */
export function definitionOr(journal: Journal, row: RecordedExperiment, known: Experiment): Experiment {
  return written.get(known) === row.definition ? known : definitionOf(journal, row)
}

/** The ids of definitions that this process has written. */
const written = new WeakMap<Experiment, string>()

function definitionWith(journal: Journal, id: string): Experiment {
  const { text, version } = definitionRow(journal, id)
  return storedExperiment(text, version, placeOf(journal))
}

/** Whether the journal's definition is this one, to the letter. */
export function isDefinedAs(journal: Journal, row: RecordedExperiment, experiment: Experiment): boolean {
  const { text, version } = definitionRow(journal, row.definition)
  return version === definitionVersion && text === storedText(experiment)
}

function definitionRow(journal: Journal, id: string): { readonly text: string; readonly version: number } {
  const sql = 'SELECT text, version FROM definitions WHERE id = ?'
  const row = journal.get({ text: text, version: number }, sql, id)
  if (row === undefined) throw damagedFile(journal.file, 'it has lost its definition')
  refuseNewer(row.version, placeOf(journal))
  return row
}

const placeOf = ({ file }: Journal): string => `the definition in ${file}`

/** The definition in force; undefined where nothing is planned yet. */
export function readDefinition(journal: Journal): Experiment | undefined {
  const row = readExperiment(journal)
  return row && definitionOf(journal, row)
}

/** Writes the definition as it is now; what was run before stays. `own`: the same without what `--seeds` changed. */
export function writeDefinition(
  journal: Journal,
  experiment: Experiment,
  fingerprint: { readonly hash: string; readonly parts: JsonObject },
  now: number,
  own: Experiment = experiment,
): void {
  journal.transaction(() => {
    const before = readExperiment(journal)
    if (before !== undefined) refuseToReplaceNewer(definitionRow(journal, before.definition), placeOf(journal))
    const id = keepDefinition(journal, experiment)
    const ownId = own === experiment ? id : keepDefinition(journal, own)
    journal.run('DELETE FROM definitions WHERE id NOT IN (?, ?)', id, ownId)
    journal.run(
      `INSERT INTO experiment (id, short_id, name, definition, own_definition, fingerprint, created_at, spent_usd, settled)
       VALUES (1, lower(hex(randomblob(4))), ?, ?, ?, ?, ?, ${spentBefore}, (SELECT coalesce(max(settled), 0) FROM runs))
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, definition = excluded.definition,
         own_definition = excluded.own_definition, fingerprint = excluded.fingerprint`,
      experiment.name,
      id,
      ownId,
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

/** A rebuilt journal may know of runs and money but have no definition. */
const spentBefore = `(SELECT coalesce(sum(usd), 0) FROM ledger WHERE kind IN ('charge', 'assumed'))
  + (SELECT coalesce(max(data ->> '$.unassigned_usd'), 0) FROM events WHERE kind = 'repaired')`

function keepDefinition(journal: Journal, experiment: Experiment): string {
  const text = storedText(experiment)
  const id = sha256(text)
  written.set(experiment, id)
  journal.run(
    `INSERT INTO definitions (id, text, version) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET text = excluded.text, version = excluded.version
     WHERE text <> excluded.text OR version <> excluded.version`,
    id,
    text,
    definitionVersion,
  )
  return id
}

/** How the current plan is made. */
export const planOptionsOf = (journal: Journal, row: RecordedExperiment): PlannerOptions =>
  planOptionsIn(row.planOptions, journal)

/** The planner's state; null: it has not been asked yet. A state that this process has written is not read again. */
export function plannerStateOf(journal: Journal, { plannerState: text }: RecordedExperiment): Json {
  if (text === null) return null
  const known = plannerStates.get(journal)
  if (known?.text === text) return known.state
  return jsonIn(text, 'experiment.planner_state', journal)
}

/** Serialises a state and remembers it: with thousands of trials, reading it takes longer than the planner's next step. */
export function plannerStateText(journal: Journal, state: Json): string {
  const text = JSON.stringify(state)
  plannerStates.set(journal, { text, state })
  return text
}

const plannerStates = new WeakMap<Journal, { readonly text: string; readonly state: Json }>()

export function fingerprintParts(journal: Journal, hash: string): JsonObject | undefined {
  const row = journal.get({ parts: text }, 'SELECT parts FROM fingerprints WHERE hash = ?', hash)
  return row && objectIn(row.parts, 'fingerprints.parts', journal)
}

export function setControl(journal: Journal, control: Control): void {
  journal.run('UPDATE experiment SET control = ? WHERE control <> ?', control, control)
}

/** Digests by file, as of the last call. */
export function programDigests(journal: Journal): { readonly [file: string]: string } {
  const row = journal.get({ programs: text }, 'SELECT programs FROM experiment')
  return row === undefined ? {} : mapIn(row.programs, 'experiment.programs', journal, isText)
}

export function writeProgramDigests(journal: Journal, digests: { readonly [file: string]: string }): void {
  journal.run('UPDATE experiment SET programs = ?', JSON.stringify(digests))
}

/** Limits that `assay set` has put over those of the configuration. */
export const limitsSet = (journal: Journal, row: RecordedExperiment): JsonObject =>
  limitsSetIn(row.limitsSet, `experiment.limits_set in ${journal.file}`)

export function writeLimitsSet(journal: Journal, limits: JsonObject): void {
  journal.run('UPDATE experiment SET limits_set = ?', JSON.stringify(limits))
}

/** Tags and notes of one run, or (run null) of the whole experiment. */
export interface Labels {
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

export function labelsOf(journal: Journal, runId: number | null): Labels {
  const rows = journal.all(
    { kind: text, text: text },
    'SELECT kind, text FROM labels WHERE run_id IS ? ORDER BY at, rowid',
    runId,
  )
  const texts = (kind: string) => rows.filter(row => row.kind === kind).map(row => row.text)
  return { tags: texts('tag'), notes: texts('note') }
}

export function addTag(journal: Journal, runId: number | null, tag: string, now: number): void {
  journal.run(
    `INSERT INTO labels (run_id, kind, text, at) SELECT ?1, 'tag', ?2, ?3
     WHERE NOT EXISTS (SELECT 1 FROM labels WHERE run_id IS ?1 AND kind = 'tag' AND text = ?2)`,
    runId,
    tag,
    now,
  )
}

export function removeTag(journal: Journal, runId: number | null, tag: string): boolean {
  return journal.run(`DELETE FROM labels WHERE run_id IS ? AND kind = 'tag' AND text = ?`, runId, tag) > 0
}

export function addNote(journal: Journal, runId: number | null, note: string, now: number): void {
  journal.insert(`INSERT INTO labels (run_id, kind, text, at) VALUES (?, 'note', ?, ?)`, runId, note, now)
}

/** Appends to the experiment's log: starts, halts, changed limits, stops and their reasons. */
export function logEvent(journal: Journal, kind: string, data: JsonObject, now: number): void {
  journal.insert('INSERT INTO events (at, kind, data) VALUES (?, ?, ?)', now, kind, JSON.stringify(data))
}

export interface LoggedEvent {
  readonly at: number
  readonly kind: string
  readonly data: JsonObject
}

/** The newest, oldest first; with `of` only those whose kind begins with it. */
export function loggedEvents(journal: Journal, newest: number, of = ''): LoggedEvent[] {
  const rows = journal.all(
    { at: number, kind: text, data: text },
    `SELECT at, kind, data FROM (SELECT * FROM events WHERE substr(kind, 1, ?) = ? ORDER BY id DESC LIMIT ?) ORDER BY id`,
    of.length,
    of,
    newest,
  )
  return rows.map(row => ({ ...row, data: objectIn(row.data, 'events.data', journal) }))
}

/** Model ids in the experiment's log: an id that one process saw today is compared by another next month. */
export function recordedModelIds(journal: Journal, clock: Clock): ModelIds {
  return recordedFacts(journal, clock, 'model_id')
}

/** What providers billed beyond the requested maximum, in the same log. */
export function recordedBeyondBound(journal: Journal, clock: Clock): ModelIds {
  return recordedFacts(journal, clock, 'beyond_bound')
}

/** One text for each model; the newest counts. */
function recordedFacts(journal: Journal, clock: Clock, kind: 'model_id' | 'beyond_bound'): ModelIds {
  const known = new Map<string, string | undefined>()
  let version = -1
  const recorded = (model: string) =>
    journal.get(
      { id: text },
      `SELECT json_extract(data, '$.id') AS id FROM events
       WHERE kind = ? AND json_extract(data, '$.model') = ? ORDER BY events.id DESC LIMIT 1`,
      kind,
      model,
    )?.id
  return {
    get(model) {
      // Read once, and again after another process has written something.
      const now = journal.dataVersion()
      if (now !== version) known.clear()
      version = now
      if (!known.has(model)) known.set(model, recorded(model))
      return known.get(model)
    },
    set(model, id) {
      if (known.get(model) === id) return
      known.set(model, id)
      try {
        if (recorded(model) !== id) logEvent(journal, kind, { model, id }, clock.now())
      } catch (error) {
        // A call that was paid for matters more than a note about it, which the next call will make.
        if (!isBusy(error)) throw error
      }
    },
  }
}
