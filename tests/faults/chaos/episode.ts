import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkBudgetEnd, checkMoney, checkRuns, isBudgetUsed, permittedInJournal, toldIn } from './checker.ts'
import { type Fault, flipByte, freeze, kill, preloaded } from './faults.ts'
import { maxOutputTokens, startModelServer, usdPerToken } from './model-server.ts'
import { type OtherKind, startOther } from './other-targets.ts'
import { randomFrom } from './random.ts'
import { checkStrays, strayFiles } from './strays.ts'

const builtHere = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))

export interface EpisodeOptions {
  readonly seed: number
  /** The minimum duration of faults. */
  readonly chaosMs: number
  /** How long faults continue after the limit was reached, because a limit would be exceeded then. */
  readonly pressureMs: number
  readonly runs: number
  readonly calls: number
  /** The limit of model calls that is reached: a third of the money that they cost, or of the requests that they make. */
  readonly binds: 'budget' | 'rate' | 'none'
  /** Only stops and clock steps, after which nothing may be lost: no run, and no answer that was paid for. */
  readonly isMild: boolean
  /** The target of the third experiment. */
  readonly other: OtherKind
  /** Whether programs take part that leave processes without an environment behind. */
  readonly strays: boolean
  /** Whether `assay repair` is called, and killed, before the last calls. */
  readonly repairs: boolean
  /** The assay that is tried, if not the one that is built here. */
  readonly program?: string
}

export interface Episode {
  readonly findings: readonly string[]
  /** How often each fault hit, by name. */
  readonly faults: Readonly<Record<string, number>>
  /** Actions and observations, line by line. */
  readonly log: readonly string[]
  /** Whether the limit that was to bind did: calls were left that it did not allow. */
  readonly isBound: boolean
  /** Of faults that this machine can't have. */
  readonly missing: readonly string[]
  /** Kept if something was found. */
  readonly folder: string
}

/**
 * An experiment of programs, one of model calls and one of functions, agents or scenarios, each worked on by a `run` and workers that come and go, under random
 * faults; then calm, until both are done; then the checker's word. The same seed gives the same faults, though not at the
 * same instructions.
 */
export async function episode(options: EpisodeOptions): Promise<Episode> {
  const random = randomFrom(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'assay-chaos-'))
  const history = join(folder, 'history')
  writeFileSync(history, '')
  const { calls, binds, isMild, program = builtHere } = options
  const ownDelay = monitorEventLoopDelay()
  ownDelay.enable()
  // With a binding budget, every cent is explained: the server never bills more than requested.
  const overbills = binds !== 'budget' && !isMild
  const server = await startModelServer(randomFrom(options.seed + 1), { cuts: !isMild, overbills })
  const budgetUsd = calls * usdPerToken * maxOutputTokens * (binds === 'budget' ? 0.25 : 9)
  const rpm = binds === 'rate' ? Math.ceil(calls / 3) : 6_000
  const other = await startOther(options.other, { seed: options.seed, history, isMild, often })
  const files = {
    ...filesOf(options, history, server.address, budgetUsd, rpm),
    ...strayFiles(history, often),
    ...other.files,
  }
  for (const name of Object.keys(files)) mkdirSync(dirname(join(folder, name)), { recursive: true })
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  const log: string[] = []
  const began = performance.now()
  const note = (line: string): void => void log.push(`${((performance.now() - began) / 1000).toFixed(2)} ${line}`)
  const processes = new Set<ChildProcess>()
  const { env, faults: fromLibraries, missing } = preloaded(folder, random, isMild)
  const victims = { processes, random }
  // Stopped, but never killed.
  const spared = new Set<ChildProcess>()
  const dirs = {
    programs: join(folder, 'results/programs'),
    models: join(folder, 'results/models'),
    other: join(folder, 'results', other.name),
  }
  const journals = { programs: join(dirs.programs, 'journal.db'), models: join(dirs.models, 'journal.db') }
  const flipped = new Set<string>()
  const faults: readonly Fault[] = [
    ...(isMild
      ? [freeze(victims, 5_000), freeze(victims, 5_000)]
      : [kill(victims), kill(victims), freeze(victims), flipByte(dirs.programs, victims, flipped)]),
    ...(options.strays ? [freeze({ processes: spared, random })] : []),
    ...fromLibraries,
  ]
  const done: Record<string, number> = {}
  const findings: string[] = []
  let isBound = false
  const begin = (args: readonly string[], among = processes): Promise<number | null> => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...env, ...(among === spared && { FAILING_WRITES: '' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    among.add(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        said = (said + chunk).slice(-2000)
      })
    note(`${child.pid} begins: assay ${args.join(' ')}`)
    const impatience = setTimeout(() => {
      findings.push(`assay ${args.join(' ')} did not come to an end`)
      child.kill('SIGKILL')
    }, patienceMs)
    return new Promise(resolve =>
      child.once('close', (status, signal) => {
        clearTimeout(impatience)
        among.delete(child)
        note(`${child.pid} ends: ${signal ?? status}${status === 0 || signal !== null ? '' : `\n${said}`}`)
        if (status === 70) findings.push(`assay called something a bug of its own:\n${said}`)
        resolve(status)
      }),
    )
  }
  const experiments = ['programs', 'models', 'other'] as const
  const fileOf = (name: string): string => `${name === 'other' ? other.name : name}.yaml`
  let until = began + options.chaosMs
  const isOver = (): boolean => performance.now() >= until
  const keep = async (args: readonly string[]): Promise<void> => {
    while (!isOver()) {
      await begin(args)
      await passed(20 + random() * 200)
    }
  }
  const keepers = experiments.flatMap(name => [
    keep(['run', fileOf(name), '-q']),
    ...(name === 'programs' || options.seed % 2 === (name === 'models' ? 0 : 1) ? [keepWorkers(dirs[name])] : []),
  ])
  async function keepWorkers(dir: string): Promise<void> {
    while (!isOver()) {
      await passed(random() * 800)
      if (existsSync(join(dir, 'journal.db')) && !isOver()) await begin(['worker', dir, '-q', '-j', '2'])
    }
  }
  const isReached = (): boolean => {
    if (binds === 'rate' && server.requests.length >= rpm) return true
    if (!existsSync(journals.models)) return false
    try {
      return binds === 'budget' ? isBudgetUsed(journals.models) : permittedInJournal(journals.models) >= rpm
    } catch {
      // It was left by a process that was killed, and waits for one that may write.
      return false
    }
  }
  const strays = options.strays ? begin(['run', 'strays.yaml', '-q'], spared) : null
  let hasReached = binds === 'none'
  while (!isOver()) {
    // Where the machine is so busy that nothing gets done between two faults, they come at longer and longer intervals.
    const slowdown = hasReached ? 1 : Math.max(1, (performance.now() - began) / options.chaosMs)
    await passed((30 + random() * 300) * slowdown)
    if (!hasReached && isReached()) {
      hasReached = true
      note(`the ${binds} is reached`)
      until = Math.max(until, performance.now() + options.pressureMs)
    } else if (!hasReached && performance.now() < began + longestMs) until = Math.max(until, performance.now() + 1_000)
    const fault = faults[Math.floor(random() * faults.length)]
    const did = fault?.apply() ?? null
    if (fault === undefined || did === null) continue
    if (fault.hits === undefined) done[fault.name] = (done[fault.name] ?? 0) + 1
    note(did)
  }
  for (const fault of faults) {
    fault.calm?.()
    if (fault.hits !== undefined) done[fault.name] = fault.hits()
  }
  server.isCalm = true
  other.calm()
  writeFileSync(`${history}.calm`, '')
  const rateUntil = binds === 'rate' ? performance.now() : null
  if (binds === 'rate') {
    isBound = hasReached
    const status = await begin(['set', dirs.models, 'rate.openai-compatible=none'], spared)
    // One that was killed each time before anything was planned has no rate to lift yet.
    if (status !== 0)
      writeFileSync(
        join(folder, 'models.yaml'),
        filesOf(options, history, server.address, budgetUsd, 6_000)['models.yaml'] ?? '',
      )
  }
  // The last of them are killed too, so that the end has something to take over.
  if (!isMild) for (const child of processes) child.kill('SIGKILL')
  await Promise.all(keepers)
  for (const fault of faults) fault.calm?.()
  // One that was killed each time before it had made anything has nothing to repair.
  if (options.repairs) for (const name of experiments) if (existsSync(dirs[name])) await repair(dirs[name])
  async function repair(dir: string): Promise<void> {
    for (let kills = 0; kills < 2; kills++) {
      const going = begin(['repair', dir])
      await Promise.race([going, passed(100 + random() * 500)])
      for (const child of processes) child.kill('SIGKILL')
      await going
    }
    const status = await begin(['repair', dir])
    if (status !== 0) findings.push(`repair of ${dir} ended with ${status}`)
  }
  const last = async (name: string, isEnd: (status: number | null) => boolean): Promise<void> => {
    let status: number | null = null
    for (let tries = 0; tries < 4 && !isEnd(status); tries++)
      status = await begin(['run', fileOf(name), '-q', '--retry-failed'])
    if (!isEnd(status)) findings.push(`${fileOf(name)}: the last call ended with ${status}`)
  }
  await last('programs', status => status === 0)
  await last('models', status => status === (binds === 'budget' ? 3 : 0))
  await last('other', status => status === 0)
  if (binds === 'budget') {
    const wrong = checkBudgetEnd(journals.models, budgetUsd)
    isBound = wrong.length === 0
    findings.push(...wrong.map(finding => `models: ${finding}`))
  }
  if (strays !== null) {
    const status = await strays
    if (status !== 0) findings.push(`strays: it ended with ${status}`)
    findings.push(...checkStrays(history).map(finding => `strays: ${finding}`))
  }
  const rate =
    rateUntil === null
      ? null
      : // If all of it took less than a minute, what is permitted late arrives in the same minute.
        { rpm, until: rateUntil, late: rateUntil - began < 60_000 ? 0 : slots }
  const results = resultsIn(dirs.programs, flipped)
  // Who is late itself answers late.
  const areAnswersKept = isMild && ownDelay.max / 1e6 < 1_000
  if (isMild && !areAnswersKept) note(`the harness itself stood still for ${Math.round(ownDelay.max / 1e6)} ms`)
  ownDelay.disable()
  findings.push(
    ...checkRuns(journals.programs, toldIn(readFileSync(history, 'utf8')), {
      ...{ runs: options.runs, results, areAttemptsKept: isMild },
    }).map(finding => `programs: ${finding}`),
    ...checkMoney(journals.models, {
      ...{ requests: server.requests, run: 'block.case', budgetUsd, overbills, areAnswersKept, rate },
    }).map(finding => `models: ${finding}`),
    ...other.check(join(dirs.other, 'journal.db'), areAnswersKept).map(finding => `${other.name}: ${finding}`),
  )
  server.close()
  other.close()
  note(`${server.requests.length} requests came`)
  if (findings.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  return { findings, faults: done, log, missing, folder, isBound }
}

/** No call has that much to do. */
const patienceMs = 120_000

/** How long a limit may take to be reached. */
const longestMs = 30_000

/** Tokens of all results in the folders of runs, but of those that were damaged. */
function resultsIn(dir: string, damaged: ReadonlySet<string>): ReadonlySet<string> {
  const runs = join(dir, 'runs')
  const files = readdirSync(runs)
    .filter(run => !damaged.has(run))
    .flatMap(run =>
      globSync(['result.json', 'attempts/*/result.json'], { cwd: join(runs, run) }).map(file => join(runs, run, file)),
    )
  return new Set(files.map(file => (JSON.parse(readFileSync(file, 'utf8')) as { token: string }).token))
}

/** Calls at once, of `run` and a worker. */
const slots = 10

const often =
  'retries: { failed: 50, timed_out: 50, infra_error: 50, rate_limited: 50, backoff: 10ms }, quarantine_after: 1000, initial_failures: 0'

/**
 * A program holds a lock for as long as anything of it lives: an attempt beside it can't get it, and says so. Some take
 * so long that they outlive a killed assay until their run's turn comes again; some fail twice, and take longer
 * the third time, so that the result of the first is there when assay is killed.
 */
function filesOf(
  { runs, calls, isMild }: EpisodeOptions,
  history: string,
  address: string,
  budgetUsd: number,
  rpm: number,
): Readonly<Record<string, string>> {
  return {
    'witness.sh': `#!/bin/sh
unset LD_PRELOAD
exec 9>>"${history}.lock-$1"
if ! flock -n 9; then echo "overlap $1 $ASSAY_ATTEMPT" >> ${history}; fi
echo "begun $1 $ASSAY_ATTEMPT" >> ${history}
if [ $(($1 % 10)) = 5 ] && [ ! -e ${history}.calm ]; then sleep 6; fi
if [ $(($1 % 3)) = 2 ]; then
  if [ ! -e "${history}.failed-$1-2" ]; then
    if [ -e "${history}.failed-$1" ]; then touch "${history}.failed-$1-2"; else touch "${history}.failed-$1"; fi
    echo "failing $1 $ASSAY_ATTEMPT" >> ${history}
    exit 3
  fi
  if [ ! -e ${history}.calm ]; then sleep 1.5; fi
fi
case $(($1 % 4)) in
  1) sleep 0.4 & wait ;;
  2) setsid sh -c 'sleep 0.3' ;;
  3) sh -c 'sleep 0.2; sleep 0.1' ;;
  *) sleep 0.05 ;;
esac
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
echo "over $1 $ASSAY_ATTEMPT" >> ${history}
`,
    'programs.yaml': `name: programs
target: { kind: command, command: [./witness.sh, "{n}"] }
factors: { n: 1..${runs} }
limits: { jobs: 3, timeout: 30s, grace: 200ms, ${often} }
`,
    'models.yaml': `name: models
target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [m], tests: cases.csv, max_output_tokens: ${maxOutputTokens}, assert: [{ type: equals, value: ok }] }
models: { m: { provider: openai-compatible, address: "${address}", timeout: ${isMild ? 3 : 2}s, price: { input: ${usdPerToken * 1e6}, output: ${usdPerToken * 1e6} } } }
limits: { jobs: 8, budget_usd: ${budgetUsd}, rate: { openai-compatible: { rpm: ${rpm} } }, ${often} }
`,
    'cases.csv': `n\n${Array.from({ length: calls }, (_, n) => n + 1).join('\n')}\n`,
  }
}
