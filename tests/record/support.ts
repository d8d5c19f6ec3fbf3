import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OutcomeKind } from '../../src/define/outcome.ts'
import { type AttemptResult, type Run, unmeasured } from '../../src/define/run.ts'
import { number, text, textOrNull } from '../../src/record/journal/columns.ts'
import { writeDefinition } from '../../src/record/journal/experiment-row.ts'
import { Journal } from '../../src/record/journal/journal.ts'
import { type ClaimRequest, claimNext } from '../../src/record/runs/claim.ts'
import {
  offerRuns,
  setDefinitionRuns,
  startGeneration,
  stillWanted,
  takePlannerLease,
} from '../../src/record/runs/offer.ts'
import { type NextState, type RunHistory, settleAttempt } from '../../src/record/runs/settle.ts'
import { addWorker } from '../../src/record/runs/workers.ts'
import { runWith } from '../perform/support.ts'
import { experimentWith } from '../plan/experiment.ts'
import { folderWith } from '../support/assay.ts'

export const planOptions = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const

export const runNamed = (name: string): Run => runWith({ key: `key-${name}`, name })

/** A real journal in its own folder, with one worker. */
export function openJournal(file = join(folderWith(), 'journal.db')): { journal: Journal; workerId: number } {
  const journal = Journal.open(file)
  onTestFinished(() => journal.close())
  return { journal, workerId: joinAgain(journal) }
}

export function joinAgain(journal: Journal): number {
  const identity = { host: 'here', bootId: 'boot', pidNamespace: 'ns', pid: 1, startTime: '1' }
  return addWorker(journal, { ...identity, kind: 'run', slots: 1 }, { now: 0, elapsed: 0 })
}

/** A journal whose plan is these runs, all of them ready. */
export function planned(...names: readonly string[]): { journal: Journal; workerId: number } {
  const opened = openJournal()
  define(opened.journal, 'first')
  plan(opened.journal, opened.workerId, names)
  return opened
}

export function define(journal: Journal, fingerprint: string): void {
  writeDefinition(journal, experimentWith({}), { hash: fingerprint, parts: { fingerprint } }, 0)
}

/** A new definition and generation of exactly these runs. */
export function plan(journal: Journal, workerId: number, names: readonly string[]): void {
  const runs = names.map(runNamed)
  const keys = runs.map(run => run.key)
  startGeneration(journal, {
    hash: names.join(),
    options: planOptions,
    planned: names.length,
    plannerState: 0,
    wanted: stillWanted(journal, keys),
  })
  setDefinitionRuns(journal, { hash: names.join(), planned: names.length, ids: stillWanted(journal, keys) })
  takePlannerLease(journal, workerId)
  const generation = journal.get({ generation: number }, 'SELECT generation FROM experiment')?.generation ?? 0
  const proposals = runs.map(run => ({ run, why: 'test' }))
  offerRuns(journal, {
    workerId,
    generation,
    experiment: experimentWith({}),
    proposals,
    state: names.length,
    done: true,
    seen: 0,
  })
}

let tokens = 0

export function claim(journal: Journal, workerId: number, more: Partial<ClaimRequest> = {}) {
  const token = `token-${tokens++}`
  const request = {
    workerId,
    fingerprint: 'first',
    token,
    now: 100,
    elapsed: 100,
    lostFewerThan: 5,
    capOf: () => null,
    timeoutMs: null,
    budgetUsd: null,
    ...more,
  }
  return { token, answer: claimNext(journal, request) }
}

export const finished = (history: RunHistory): NextState => ({
  ...history,
  state: 'finished',
  readyAt: 0,
  cutAt: null,
})

export function settle(
  journal: Journal,
  token: string,
  kind: OutcomeKind = 'completed',
  more: Partial<AttemptResult> & { decide?: (history: RunHistory) => NextState; worker?: number } = {},
) {
  const { decide = finished, worker, ...facts } = more
  const result: AttemptResult = {
    token,
    mode: 'run',
    outcome: { kind },
    wall_s: 0.1,
    ...unmeasured,
    metrics: [],
    series: [],
    cost_usd: null,
    cost_at_least_usd: 0,
    calls: 0,
    tokens: 0,
    outputs: [],
    command: [],
    cwd: '',
    place: null,
    ...facts,
  }
  const owner = journal.get({ worker_id: number }, 'SELECT worker_id FROM attempts WHERE token = ?', token)
  return settleAttempt(journal, result, worker ?? owner?.worker_id ?? -1, decide, 200)
}

/** The state of every run in the journal. */
export const states = (journal: Journal): Record<string, string> =>
  Object.fromEntries(
    journal
      .all({ name: text, state: text, outcome: textOrNull }, 'SELECT name, state, outcome FROM runs ORDER BY id')
      .map(({ name, state, outcome }) => [name, state === 'finished' ? `${outcome}` : state]),
  )

export const money = (journal: Journal) =>
  journal.get(
    { spent_usd: number, reserved_usd: number, overrun_usd: number },
    'SELECT spent_usd, reserved_usd, overrun_usd FROM experiment',
  )
