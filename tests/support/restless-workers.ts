import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../../src/util/random.ts'

const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

/** A grid whose runs write down, outside of any journal, when they begin and when they are over. */
export function countedGrid(rows: number, columns: number, waitMs: number): Readonly<Record<string, string>> {
  return {
    'cell.mjs': `import { appendFileSync } from 'node:fs'
const log = new URL('executions', import.meta.url)
export default async ({ a, b }, { runId }) => {
  appendFileSync(log, 'begun ' + runId + '\\n')
  ${waitMs > 0 ? `await new Promise(resolve => setTimeout(resolve, ${waitMs}))` : ''}
  appendFileSync(log, 'over ' + runId + '\\n')
  return { sum: a + b }
}
`,
    'grid.yaml': `name: grid
target: { kind: function, module: cell.mjs }
factors: { a: 1..${rows}, b: 1..${columns} }
metrics: { sum: {} }
limits: { jobs: 2 }
`,
  }
}

/**
 * Keeps four workers on a sweep, each of which is killed after a random time and restarted, until that many were
 * killed and the rest has come to its end. Of four that are killed, one is only asked to end.
 */
export async function restlessWorkers(
  cwd: string,
  id: string,
  options: {
    readonly kills: number
    /**
     * From when to when one is killed: after its start, or, every other one, after its first run began, so that runs are
     * cut off on slow machines too.
     */
    readonly lifeMs: readonly [number, number]
    readonly seed: number
  },
): Promise<{ readonly killed: number; readonly started: number }> {
  const { kills, lifeMs, seed } = options
  const random = seededRandom(seed)
  const alive = new Set<ChildProcess>()
  const count = { killed: 0, started: 0 }
  const keepOne = async (): Promise<void> => {
    for (;;) {
      count.started++
      const worker = startWorker(cwd, id)
      alive.add(worker.child)
      const life = lifeMs[0] + random.next() * (lifeMs[1] - lifeMs[0])
      const signal = random.next() < 0.25 ? 'SIGTERM' : 'SIGKILL'
      const from = count.started % 2 === 0 ? Promise.resolve() : worker.begun
      let timer: NodeJS.Timeout | undefined
      if (count.killed < kills)
        void from.then(() => {
          timer = setTimeout(() => worker.child.kill(signal), life)
        })
      const { status, killedBy, stderr } = await worker.ended
      clearTimeout(timer)
      alive.delete(worker.child)
      if (status === 0) return
      if (killedBy === null && status !== 130) throw new Error(`a worker ended with ${status}:\n${stderr}`)
      count.killed++
    }
  }
  try {
    await Promise.all([keepOne(), keepOne(), keepOne(), keepOne()])
    return count
  } finally {
    for (const child of alive) child.kill('SIGKILL')
  }
}

function startWorker(cwd: string, id: string) {
  const env = { ...process.env, NO_COLOR: '1' }
  const child = spawn(process.execPath, [program, 'worker', id, '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const begun = new Promise<void>(resolve => {
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      if (stdout.includes('"attempt_started"')) return
      stdout += chunk
      if (stdout.includes('"attempt_started"')) resolve()
    })
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([status, killedBy]: (number | string | null)[]) => ({
    status,
    killedBy,
    stderr,
  }))
  return { child, begun, ended }
}

/** Compares the runs' own files with the journal. */
export interface GridAccount {
  readonly completed: number
  /** Runs that have not exactly one completed attempt. */
  readonly wrong: number
  /** Attempts that were cut off with their worker. */
  readonly lost: number
  readonly begun: number
  readonly over: number
  /** Runs that began more often than they were attempted, or never ended: these are unaccounted for. */
  readonly unaccounted: number
}

export function accountOf(cwd: string, dir: string): GridAccount {
  const runs = attemptsByRun(dir)
  const executions = executionsByRun(join(cwd, 'executions'))
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
  const seen = [...executions.values()]
  return {
    completed: total(runs.map(run => run.completed)),
    wrong: runs.filter(run => run.completed !== 1).length,
    lost: total(runs.map(run => run.attempts - run.completed)),
    begun: total(seen.map(run => run.begun)),
    over: total(seen.map(run => run.over)),
    unaccounted: runs.filter(({ name, attempts }) => {
      const { begun, over } = executions.get(name) ?? { begun: 0, over: 0 }
      return begun > attempts || over < 1 || over > begun
    }).length,
  }
}

function attemptsByRun(dir: string): readonly { name: string; attempts: number; completed: number }[] {
  const database = new DatabaseSync(join(dir, 'journal.db'), { readOnly: true })
  try {
    return database
      .prepare(
        `SELECT r.name, count(*) AS attempts, count(*) FILTER (WHERE a.outcome = 'completed') AS completed
         FROM runs r LEFT JOIN attempts a ON a.run_id = r.id GROUP BY r.id`,
      )
      .all() as { name: string; attempts: number; completed: number }[]
  } finally {
    database.close()
  }
}

function executionsByRun(file: string): ReadonlyMap<string, { begun: number; over: number }> {
  const counts = new Map<string, { begun: number; over: number }>()
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [what = '', run = ''] = line.split(' ')
    if (what !== 'begun' && what !== 'over') continue
    const count = counts.get(run) ?? { begun: 0, over: 0 }
    counts.set(run, count)
    count[what]++
  }
  return counts
}
