import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkBudgetEnd, checkMoney, checkRuns, permittedInJournal, toldIn } from './checker.ts'
import { type Fault, flipByte, freeze, kill, preloaded } from './faults.ts'
import { maxOutputTokens, startModelServer, usdPerToken } from './model-server.ts'
import { randomFrom } from './random.ts'
import { checkStrays, strayFiles } from './strays.ts'

const program = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))

export interface EpisodeOptions {
  readonly seed: number
  /** How long faults go on. */
  readonly chaosMs: number
  readonly runs: number
  readonly calls: number
  /** The limit of model calls that is reached: half of the money that they cost, or fewer requests than there are calls. */
  readonly binds: 'budget' | 'rate' | 'none'
  /** Whether programs take part that leave processes without an environment behind. */
  readonly strays: boolean
}

export interface Episode {
  readonly findings: readonly string[]
  /** How often each fault hit, by name. */
  readonly faults: Readonly<Record<string, number>>
  /** What was done and seen, line by line. */
  readonly log: readonly string[]
  /** Whether the limit that was to bind did: calls were left that it did not allow. */
  readonly isBound: boolean
  /** Of faults that this machine can't have. */
  readonly missing: readonly string[]
  /** Kept if something was found. */
  readonly folder: string
}

/**
 * An experiment of programs and one of model calls, each worked on by a `run` and workers that come and go, under random
 * faults; then calm, until both are done; then the checker's word. The same seed gives the same faults, though not at the
 * same instructions.
 */
export async function episode(options: EpisodeOptions): Promise<Episode> {
  const random = randomFrom(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'assay-chaos-'))
  const history = join(folder, 'history')
  writeFileSync(history, '')
  const { calls, binds } = options
  // With a budget that binds, every cent is explained: nobody bills more than was asked for.
  const overbills = binds !== 'budget'
  const server = await startModelServer(randomFrom(options.seed + 1), overbills)
  const budgetUsd = calls * usdPerToken * maxOutputTokens * (binds === 'budget' ? 0.375 : 9)
  const rpm = binds === 'rate' ? Math.ceil(calls / 3) : 6_000
  const files = { ...filesOf(options, history, server.address, budgetUsd, rpm), ...strayFiles(history, often) }
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  const log: string[] = []
  const began = performance.now()
  const note = (line: string): void => void log.push(`${((performance.now() - began) / 1000).toFixed(2)} ${line}`)
  const processes = new Set<ChildProcess>()
  const { env, faults: fromLibraries, missing } = preloaded(folder, random)
  const victims = { processes, random }
  // Stopped, but never killed.
  const spared = new Set<ChildProcess>()
  const dirs = { programs: join(folder, 'results/programs'), models: join(folder, 'results/models') }
  const faults: readonly Fault[] = [
    kill(victims),
    kill(victims),
    freeze(victims),
    ...(options.strays ? [freeze({ processes: spared, random })] : []),
    flipByte(dirs.programs, victims),
    ...fromLibraries,
  ]
  const done: Record<string, number> = {}
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
    return new Promise(resolve =>
      child.once('close', (status, signal) => {
        among.delete(child)
        note(`${child.pid} ends: ${signal ?? status}${status === 0 || signal !== null ? '' : `\n${said}`}`)
        if (status === 70) findings.push(`assay called something a bug of its own:\n${said}`)
        resolve(status)
      }),
    )
  }
  const findings: string[] = []
  let isBound = false
  const experiments = ['programs', 'models'] as const
  const until = began + options.chaosMs
  const isOver = (): boolean => performance.now() >= until
  const keep = async (args: readonly string[]): Promise<void> => {
    while (!isOver()) {
      await begin(args)
      await passed(20 + random() * 200)
    }
  }
  const keepers = experiments.flatMap(name => [
    keep(['run', `${name}.yaml`, '-q']),
    ...(name === 'programs' || options.seed % 2 === 0 ? [keepWorkers(dirs[name])] : []),
  ])
  async function keepWorkers(dir: string): Promise<void> {
    while (!isOver()) {
      await passed(random() * 800)
      if (existsSync(join(dir, 'journal.db')) && !isOver()) await begin(['worker', dir, '-q', '-j', '2'])
    }
  }
  const strays = options.strays ? begin(['run', 'strays.yaml', '-q'], spared) : null
  while (!isOver()) {
    await passed(30 + random() * 300)
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
  writeFileSync(`${history}.calm`, '')
  // The last of them are killed too, so that the end has something to take over.
  for (const child of processes) child.kill('SIGKILL')
  await Promise.all(keepers)
  for (const fault of faults) fault.calm?.()
  const last = async (name: string, isEnd: (status: number | null) => boolean): Promise<void> => {
    let status: number | null = null
    for (let tries = 0; tries < 4 && !isEnd(status); tries++)
      status = await begin(['run', `${name}.yaml`, '-q', '--retry-failed'])
    if (!isEnd(status)) findings.push(`${name}: the last call ended with ${status}`)
  }
  const journals = { programs: join(dirs.programs, 'journal.db'), models: join(dirs.models, 'journal.db') }
  const rateUntil = binds === 'rate' ? await untilRateIsUsed() : null
  /** Goes on until all requests that the rate allows have been made, and lifts it. */
  async function untilRateIsUsed(): Promise<number> {
    let hasEnded = false
    const going = begin(['run', 'models.yaml', '-q']).then(() => {
      hasEnded = true
    })
    const isUsed = (): boolean =>
      server.requests.length >= rpm || (existsSync(journals.models) && permittedInJournal(journals.models) >= rpm)
    while (!hasEnded && !isUsed()) await passed(50)
    // A request too many would come now.
    await Promise.race([going, passed(700)])
    isBound = !hasEnded
    const until = performance.now()
    await begin(['set', dirs.models, 'rate.openai-compatible=none'])
    await going
    return until
  }
  await last('programs', status => status === 0)
  await last('models', status => status === (binds === 'budget' ? 3 : 0))
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
  findings.push(
    ...checkRuns(journals.programs, toldIn(readFileSync(history, 'utf8')), options.runs).map(
      finding => `programs: ${finding}`,
    ),
    ...checkMoney(journals.models, { requests: server.requests, budgetUsd, overbills, rate }).map(
      finding => `models: ${finding}`,
    ),
  )
  server.close()
  note(`${server.requests.length} requests came`)
  if (findings.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  return { findings, faults: done, log, missing, folder, isBound }
}

/** Calls at once, of `run` and a worker. */
const slots = 6

const often =
  'retries: { failed: 50, timed_out: 50, infra_error: 50, rate_limited: 50, backoff: 10ms }, quarantine_after: 1000, initial_failures: 0'

/**
 * A program holds a lock for as long as anything of it lives: an attempt beside it can't get it, and says so. Some take
 * so long that they outlive a killed assay until their run's turn comes again.
 */
function filesOf(
  { runs, calls }: EpisodeOptions,
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
models: { m: { provider: openai-compatible, address: "${address}", timeout: 2s, price: { input: ${usdPerToken * 1e6}, output: ${usdPerToken * 1e6} } } }
limits: { jobs: 4, budget_usd: ${budgetUsd}, rate: { openai-compatible: { rpm: ${rpm} } }, ${often} }
`,
    'cases.csv': `n\n${Array.from({ length: calls }, (_, n) => n + 1).join('\n')}\n`,
  }
}
