import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestServer } from '../../support/queue-servers.ts'
import { checkBudgetEnd, checkMoney, checkRuns, toldIn } from './checker.ts'
import { randomFrom } from './random.ts'

const program = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))

export interface QueueEpisodeOptions {
  readonly seed: number
  readonly runs: number
  /** Runs of a second experiment at the same time, whose budget pays for half of them. */
  readonly paid: number
  /** A worker is killed about this often, until most runs are made; null: none is. */
  readonly killEveryMs: number | null
  /** Seconds that a run takes besides a few hundredths. */
  readonly runS?: number
  readonly coordinatorKills: number
  readonly serverRestarts: number
  /** In the address: how long a silent worker is waited for. */
  readonly goneAfterS: number
  readonly server: TestServer
  /** How a machine runs a program, for machines that are more than a folder. */
  readonly on?: (machine: number, command: readonly string[]) => readonly string[]
  /** Further faults, while the runs are made. */
  readonly meanwhile?: (
    note: (line: string) => void,
    setAway: (isAway: boolean) => void,
    untilOver: (share: number) => Promise<void>,
  ) => Promise<void>
}

export interface QueueEpisode {
  readonly findings: readonly string[]
  /** Seconds from a worker's death until others had all of its runs. */
  readonly takeoverS: number
  readonly workerKills: number
  readonly attempts: number
  readonly log: readonly string[]
  /** Kept if something was found. */
  readonly folder: string
}

/**
 * Two workers and two coordinators on a server, each with its own files; workers, coordinators and server are killed
 * while they work. What the runs wrote down outside of assay is then held against the journals.
 */
export async function queueEpisode(options: QueueEpisodeOptions): Promise<QueueEpisode> {
  const random = randomFrom(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'assay-queue-'))
  const history = join(folder, 'history')
  const files = filesOf(options, history)
  const [home, ...machines] = [0, 1, 2].map(at => {
    const cwd = join(folder, `machine-${at}`)
    mkdirSync(cwd)
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(cwd, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
    return cwd
  })
  for (const name of ['', '-paid', '-slow']) writeFileSync(`${history}${name}`, '')
  const address = `${options.server.address}?gone_after=${options.goneAfterS}s`
  const log: string[] = []
  const findings: string[] = []
  const began = performance.now()
  const note = (line: string): void => void log.push(`${((performance.now() - began) / 1000).toFixed(2)} ${line}`)
  const alive = new Set<ChildProcess>()
  let begun = 0
  const begin = (machine: number, args: readonly string[]) => {
    const which = `${machine}.${begun++}`
    const command = [process.execPath, program, ...args]
    const [file = '', ...rest] = options.on?.(machine, command) ?? command
    const child = spawn(file, rest, {
      cwd: machine === 0 ? home : machines[machine - 1],
      env: { ...process.env, NO_COLOR: '1', ASSAY_QUEUE: address, WORKER: which },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    alive.add(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        said = (said + chunk).slice(-3000)
        for (const line of String(chunk).split('\n'))
          if (/"notice"|lost/.test(line)) note(`${child.pid}: ${line.slice(0, 300)}`)
      })
    note(`${child.pid} begins on machine ${machine}: assay ${args.join(' ')}`)
    const ended = new Promise<number | null>(resolve =>
      child.once('close', (status, signal) => {
        alive.delete(child)
        note(`${child.pid} ends: ${signal ?? status}${status === 0 || signal !== null ? '' : `\n${said}`}`)
        if (status === 70) findings.push(`assay called something a bug of its own:\n${said}`)
        resolve(status)
      }),
    )
    return { child, ended, which }
  }
  /** A process that starts while the server is away says so and ends. */
  let awayUntil = 0
  const setAway = (isAway: boolean) => {
    awayUntil = isAway ? Number.POSITIVE_INFINITY : performance.now()
  }
  const isRefusal = (status: number, begunAt: number) => status === 2 && begunAt < awayUntil
  const workers = new Map<number, { readonly child: ChildProcess; readonly which: string }>()
  let isOver = false
  const keepWorker = async (machine: number): Promise<void> => {
    while (!isOver) {
      const begunAt = performance.now()
      const { ended, ...worker } = begin(machine, ['worker', '--json', '-j', '4', '--scratch', 'scratch'])
      workers.set(machine, worker)
      const status = await ended
      if (status !== null && !isOver && !isRefusal(status, begunAt))
        findings.push(`a worker ended by itself, with ${status}`)
      await passed(20 + random() * 300)
    }
  }
  /** Repeatedly, until it ends by itself. */
  const coordinators = new Map<string, ChildProcess>()
  const coordinate = async (name: string): Promise<number> => {
    for (;;) {
      const begunAt = performance.now()
      const { child, ended } = begin(0, ['run', `${name}.yaml`, '--json'])
      coordinators.set(name, child)
      const status = await ended
      if (status !== null && !isRefusal(status, begunAt)) return status
      await passed(random() * 500)
    }
  }
  const told = (name = '') => readFileSync(`${history}${name}`, 'utf8')
  const overs = () => told().split('over ').length - 1
  const untilOver = async (share: number) => {
    while (overs() < share * options.runs && !isOver) await passed(50)
  }
  try {
    const keepers = [keepWorker(1), keepWorker(2)]
    const ends = Promise.all([coordinate('programs'), coordinate('paid')])
    let workerKills = 0
    const killWorkers = async () => {
      while (options.killEveryMs !== null && overs() < 0.9 * options.runs) {
        await passed(options.killEveryMs * (0.5 + random()))
        const machine = random() < 0.5 ? 1 : 2
        note(`kill -9 the worker on machine ${machine}`)
        workers.get(machine)?.child.kill('SIGKILL')
        workerKills++
      }
    }
    const killCoordinators = async () => {
      for (let at = 1; at <= options.coordinatorKills; at++) {
        await untilOver((at - 0.5) / options.coordinatorKills)
        note('kill -9 the coordinators')
        for (const child of coordinators.values()) child.kill('SIGKILL')
      }
    }
    const restartServer = async () => {
      for (let at = 1; at <= options.serverRestarts; at++) {
        await untilOver(at / (options.serverRestarts + 1))
        note('restart the server')
        setAway(true)
        await options.server.restart()
        setAway(false)
        note('the server is back')
      }
    }
    await Promise.all([
      killWorkers(),
      killCoordinators(),
      restartServer(),
      options.meanwhile?.(note, setAway, untilOver),
    ])
    const [programs, paid] = await ends
    if (programs !== 0) findings.push(`programs: the coordinator ended with ${programs}`)
    if (paid !== 3) findings.push(`paid: the coordinator ended with ${paid}, not for its budget`)
    const takeoverS = await takeover()
    if (takeoverS > 15) findings.push(`others had a dead worker's runs after ${takeoverS.toFixed(1)} s`)
    isOver = true
    for (const { child } of workers.values()) child.kill('SIGTERM')
    await Promise.all(keepers)

    const journal = (name: string) => join(home ?? '', 'results', name, 'journal.db')
    const bills = told('-paid').split('\n').filter(Boolean)
    const requests = bills.map((line, at) => ({ at, question: line.split(' ')[1] ?? '', billedUsd: price }))
    const budgetUsd = (price * options.paid) / 2
    const all = toldIn(told())
    findings.push(
      ...checkRuns(journal('programs'), all, { runs: options.runs }).map(finding => `programs: ${finding}`),
      ...checkMoney(journal('paid'), { requests, run: 'params.n', budgetUsd, overbills: false, rate: null }).map(
        finding => `paid: ${finding}`,
      ),
      ...checkBudgetEnd(journal('paid'), budgetUsd).map(finding => `paid: ${finding}`),
      ...checkRuns(journal('slow'), toldIn(told('-slow')), { runs: slowRuns }).map(finding => `slow: ${finding}`),
    )
    const attempts = all.filter(({ what }) => what === 'begun').length
    return { findings, takeoverS, workerKills, attempts, log, folder }
  } finally {
    isOver = true
    for (const child of alive) child.kill('SIGKILL')
    writeFileSync(join(folder, 'log'), `${log.join('\n')}\n`)
    if (findings.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }

  /** Runs that wait for leave to end, some of them on a worker that is killed: until all of these are begun elsewhere. */
  async function takeover(): Promise<number> {
    const places = () =>
      new Map(
        told('-slow')
          .split('\n')
          .map(line => line.split(' '))
          .filter(([what]) => what === 'begun')
          .map(([, run = '', , worker = '']) => [run, worker]),
      )
    const end = coordinate('slow')
    while (places().size < slowRuns || new Set(places().values()).size < 2) await passed(20)
    const victim = workers.get(1)
    note(`kill -9 worker ${victim?.which}, whose runs are waited for`)
    const at = performance.now()
    victim?.child.kill('SIGKILL')
    while ([...places().values()].includes(victim?.which ?? '')) await passed(20)
    const seconds = (performance.now() - at) / 1000
    writeFileSync(`${history}-slow.go`, '')
    const status = await end
    if (status !== 0) findings.push(`slow: the coordinator ended with ${status}`)
    return seconds
  }
}

const price = 0.01
const slowRuns = 6

/**
 * A program holds a lock for as long as anything of it lives: an attempt beside it can't get it, and says so.
 */
function filesOf({ runs, paid, runS = 0 }: QueueEpisodeOptions, history: string): Readonly<Record<string, string>> {
  const often =
    'retries: { failed: 50, timed_out: 50, infra_error: 50, backoff: 10ms }, quarantine_after: 1000, grace: 200ms'
  return {
    'witness.sh': `#!/bin/sh
exec 9>>"${history}.lock-$1"
if ! flock -n 9; then echo "overlap $1 $ASSAY_ATTEMPT" >> ${history}; fi
echo "begun $1 $ASSAY_ATTEMPT $WORKER" >> ${history}
sleep ${runS}.0$(($1 % 10))
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
echo "over $1 $ASSAY_ATTEMPT $WORKER" >> ${history}
`,
    'programs.yaml': `name: programs
target: { kind: command, command: [./witness.sh, "{n}"] }
factors: { n: 1..${runs} }
metrics: { answer: {} }
limits: { ${often} }
`,
    // It has spent before it says so.
    'pay.sh': `#!/bin/sh
echo "paid $1 $ASSAY_ATTEMPT" >> ${history}-paid
sleep 0.02
echo '{"cost_usd": ${price}}' >> "$ASSAY_METRICS_FILE"
`,
    'paid.yaml': `name: paid
target: { kind: command, command: [./pay.sh, "{n}"] }
factors: { n: 1..${paid} }
limits: { budget_usd: ${(price * paid) / 2}, run_budget_usd: ${price}, ${often} }
`,
    'slow.sh': `#!/bin/sh
echo "begun $1 $ASSAY_ATTEMPT $WORKER" >> ${history}-slow
while [ ! -e ${history}-slow.go ]; do sleep 0.05; done
echo "over $1 $ASSAY_ATTEMPT $WORKER" >> ${history}-slow
`,
    'slow.yaml': `name: slow
target: { kind: command, command: [./slow.sh, "{n}"] }
factors: { n: 1..${slowRuns} }
limits: { ${often} }
`,
  }
}
