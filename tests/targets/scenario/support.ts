import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadExperiment } from '../../../src/define/load-experiment.ts'
import type { Permits } from '../../../src/define/permits.ts'
import type { AttemptResult, EarlierAttempt } from '../../../src/define/run.ts'
import { perform } from '../../../src/perform/perform.ts'
import { targets } from '../../../src/targets/registry.ts'
import { jobWith, settingOf } from '../../perform/support.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

type Files = Readonly<Record<string, string>>

/** A port and a shipping line that argue about dues. Replace or add files by name; an empty text leaves a file out. */
export const harbour = (over: Files = {}): Files =>
  Object.fromEntries(
    Object.entries({
      'scenarios/harbour/scenario.yaml': `name: Harbour dues
initial_world_state: |
  The port wants higher dues. Trust is 5.
turns: 3
turn_duration: 3 months
world_state_model: sim/narrator
actors: [port, shipper]
`,
      'scenarios/harbour/actors/port.yaml': `name: Port Authority
short_name: port
llm_model: sim/firm
goals: [Balance the budget]
private_information: The quay is cracked.
`,
      'scenarios/harbour/actors/shipper.yaml': `name: Blue Line
short_name: shipper
llm_model: sim/shipper
goals: [Keep dues low]
private_information: We could leave for the next port.
`,
      'scenarios/harbour/metrics.yaml': `metrics:
  - { name: dues, type: float, unit: EUR, extraction: { type: line } }
  - { name: agreement, type: boolean, extraction: { type: line } }
`,
      ...over,
    }).filter(([, text]) => text !== ''),
  )

/** Simulated models that play by rules: a soft port reaches an agreement, a firm one does not. */
export const models = `models:
  sim/narrator:
    price: { input: 1, output: 2 }
    rules:
      - { purpose: summary, answer: "So far they argued." }
      - { contains: [lower the dues], matches: "every value:\\\\s+(METRICS#\\\\w+):", answer: "**UPDATED WORLD STATE:** They agree.\\n{1}: dues=40; agreement=yes" }
      - { matches: "every value:\\\\s+(METRICS#\\\\w+):", answer: "**UPDATED WORLD STATE:** No deal.\\n{1}: dues={integer 50..99}; agreement=no" }
      - { answer: "**UPDATED WORLD STATE:** Ships come and go, cooperation {integer 1..9}." }
  sim/firm:
    price: { input: 1, output: 2 }
    rules:
      - { purpose: talk, contains: [you may open], answer: "**TALK:** yes\\n**WITH:** Blue Line\\n**MESSAGE:** Pay {integer 50..99}." }
      - { purpose: talk, answer: "**ANSWER:** No." }
      - { answer: "**LONG-TERM GOALS:** money\\n**REASONING:** we can\\n**ACTION:** raise the dues to {integer 50..99}" }
  sim/soft:
    price: { input: 1, output: 2 }
    rules:
      - { purpose: talk, answer: "**TALK:** no" }
      - { answer: "**ACTION:** lower the dues" }
  sim/shipper:
    price: { input: 1, output: 2 }
    rules:
      - { purpose: talk, contains: [you may open], answer: "**TALK:** no" }
      - { purpose: talk, answer: "**ANSWER:** We will see." }
      - { answer: "**ACTION:** wait and complain" }
`

/** An experiment that plays this scenario, in its own folder. */
export function scenarioExperiment(files: Files = harbour(), more = '', target = '') {
  const text = `name: e\norder: listed\ntarget: { kind: scenario, scenario: scenarios/harbour${target} }\n${more}`
  const whole = /^models:/m.test(more) ? text : `${text}${models}`
  const cwd = folderWith({ 'experiment.yaml': whole, ...files })
  const dir = join(cwd, 'results/e')
  return {
    cwd,
    dir,
    async run(...args: string[]) {
      const ended = await assay(['run', '--json', ...args], { cwd })
      return { ...ended, summary: ended.status === 2 ? {} : summaryOf(ended) }
    },
    say: (...args: string[]) => assay(args, { cwd }),
    runs: () => readdirSync(join(dir, 'runs')).sort(),
    /** The only run's files, or those of the run whose name has this in it. */
    folder(part = ''): string {
      const name = readdirSync(join(dir, 'runs')).find(one => one.includes(part))
      return join(dir, 'runs', name ?? 'no such run')
    },
    attempts: () =>
      journalRows<{ outcome: string; error_class: string | null; message: string | null; cost_usd: number | null }>(
        dir,
        `SELECT outcome, facts ->> 'error_class' AS error_class, facts ->> 'message' AS message, cost_usd FROM attempts ORDER BY id`,
      ),
    metrics: (): Record<string, number>[] =>
      journalRows<{ metrics: string }>(
        dir,
        `SELECT (SELECT json_group_object(m.name, m.value) FROM metrics m WHERE m.attempt_id = r.attempt_id AND m.value IS NOT NULL) AS metrics
         FROM runs r WHERE r.generation = (SELECT generation FROM experiment) ORDER BY r.position, r.id`,
      ).map(row => JSON.parse(row.metrics ?? '{}')),
  }
}

/** Everything that a run leaves which must not depend on how often it was cut off: by name, without times and traces. */
export function storyOf(dir: string): Files {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter(name => !/^(attempts|out)\/|^(execution|meta|result)\.json$|^trace|^metrics\.jsonl$/.test(name))
  return Object.fromEntries(files.sort().map(name => [name, readFileSync(join(dir, name), 'utf8')]))
}

/**
 * Performs one run, cut off at these calls: the how-many-th call of each attempt aborts it. Returns what the last attempt
 * left and reported.
 */
export async function performInPieces(
  cwd: string,
  cuts: readonly number[],
  seed = 7,
): Promise<{
  readonly story: Files
  readonly result: AttemptResult
  readonly attempts: number
  readonly calls: number
}> {
  const experiment = loadExperiment('experiment.yaml', { targets, cwd })
  const dir = join(cwd, `out-${randomUUID()}`)
  const setting = settingOf(experiment, dir)
  let continues: EarlierAttempt | null = null
  let calls = 0
  for (let attempt = 1; ; attempt++) {
    const cut = cuts[attempt - 1]
    const controller = new AbortController()
    let made = 0
    const permits: Permits = {
      async acquire(ask, signal) {
        if (++made === cut) controller.abort({ kind: 'cancelled', message: 'cut off by the test' })
        signal.throwIfAborted()
        calls++
        return { id: calls, ask }
      },
      settle() {},
    }
    const job = jobWith({ attempt, continues, run: { seed, params: { scenario: 'scenarios/harbour' } } })
    const result = await perform(job, setting, {
      ...{ signal: controller.signal, permits, modelIds: new Map<string, string>() },
      onPoint() {},
      onNote() {},
      onStarted() {},
    })
    if (result.outcome.kind !== 'cancelled')
      return { story: storyOf(join(dir, 'runs/the-run')), result, attempts: attempt, calls }
    continues = { attempt, outcome: result.outcome, cost_usd: result.cost_usd }
  }
}

export const textOf = (...path: string[]): string => {
  const file = join(...path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
