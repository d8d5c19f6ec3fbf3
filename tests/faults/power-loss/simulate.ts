import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Operation, recorded } from './record.ts'
import { afterPowerLoss, type Loss } from './replay.ts'

const assay = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))

/** The same program everywhere; each folder has its own list of started runs. */
const program = `#!/bin/sh
echo "$ASSAY_RUN_ID" >> started
echo '{"m": 7, "cost_usd": 0.25}' >> "$ASSAY_METRICS_FILE"
`

const definition = (runs: number) => `name: e
target: { kind: command, command: [./program.sh] }
seeds: 1..${runs}
limits: { jobs: 2, budget_usd: 100, run_budget_usd: 1 }
metrics: { m: {} }
`

function prepare(folder: string, runs: number): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'e.yaml'), definition(runs))
  writeFileSync(join(folder, 'program.sh'), program)
  chmodSync(join(folder, 'program.sh'), 0o755)
}

export interface Recording {
  readonly operations: readonly Operation[]
  readonly from: string
  readonly runs: number
}

/** A real run, with every write and sync. */
export function recordRun(folder: string, runs: number): Recording {
  prepare(folder, runs)
  const from = join(folder, 'results')
  const operations = recorded([process.execPath, assay, 'run', 'e.yaml', '--json'], folder, from)
  return { operations, from, runs }
}

export type Call = (args: readonly string[], cwd: string) => Promise<{ status: number | null; stdout: string }>

export const inAProcess: Call = async (args, cwd) => {
  const { status, stdout } = spawnSync(process.execPath, [assay, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { status, stdout }
}

/** Reports made before the power failure are compared with the journal afterwards. */
export function toldBefore(operations: readonly Operation[], at: number): { runs: Set<string>; usd: number } {
  const said = operations.slice(0, at).flatMap(one => (one.kind === 'said' ? one.text.trim().split('\n') : []))
  const runs = new Set<string>()
  let usd = 0
  for (const line of said.filter(text => text.startsWith('{"kind":"attempt_ended"'))) {
    const event: { run: string; charged_usd: number } = JSON.parse(line)
    runs.add(event.run)
    usd += event.charged_usd
  }
  return { runs, usd }
}

/**
 * Simulates a power failure at one moment, restarts, and returns the errors: runs reported as finished are not
 * repeated, spending that was reported is still booked, and finally every run is completed.
 */
export async function findingsAt(
  { operations, from, runs }: Recording,
  crash: { readonly at: number; readonly loss: Loss; readonly random: () => number },
  folder: string,
  call: Call,
): Promise<{ readonly findings: readonly string[]; readonly isRepaired: boolean }> {
  rmSync(folder, { recursive: true, force: true })
  prepare(folder, runs)
  afterPowerLoss(operations, { ...crash, from, to: join(folder, 'results') })
  const told = toldBefore(operations, crash.at)
  const findings: string[] = []
  let ended = await call(['run', 'e.yaml', '--json'], folder)
  const isRepaired = ended.status === 2 && ended.stdout.includes('"code":"unrecorded_results"')
  if (isRepaired) {
    const repair = await call(['repair', 'results/e'], folder)
    if (repair.status !== 0) findings.push(`repair ended with ${repair.status}: ${repair.stdout}`)
    ended = await call(['run', 'e.yaml', '--json'], folder)
  }
  if (ended.status !== 0) findings.push(`run ended with ${ended.status}: ${ended.stdout.slice(-500)}`)
  const started = existsSync(join(folder, 'started')) ? readFileSync(join(folder, 'started'), 'utf8').split('\n') : []
  for (const run of started) if (told.runs.has(run)) findings.push(`${run} had ended, and was made again`)
  const file = join(folder, 'results/e/journal.db')
  if (!existsSync(file)) return { findings: [...findings, 'there is no journal'], isRepaired }
  const database = new DatabaseSync(file)
  const row = database
    .prepare(`SELECT spent_usd, (SELECT count(*) FROM runs WHERE outcome = 'completed') AS completed FROM experiment`)
    .get()
  const metrics = database.prepare(`SELECT count(*) AS n FROM metrics WHERE name = 'm' AND value = 7`).get()
  database.close()
  if (Number(row?.spent_usd ?? 0) < told.usd - 1e-9)
    findings.push(`${row?.spent_usd} USD are spent, told were ${told.usd}`)
  if (row?.completed !== runs) findings.push(`${row?.completed} of ${runs} runs are completed`)
  if (Number(metrics?.n ?? 0) < runs) findings.push(`only ${metrics?.n} runs have their metric`)
  return { findings, isRepaired }
}
