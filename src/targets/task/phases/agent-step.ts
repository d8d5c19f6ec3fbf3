import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Box, Exec, ExecOptions } from '../../../process/sandbox/box.ts'
import { AssayError } from '../../../util/errors.ts'
import { appendRegular, readRegular, writeAfresh } from '../../../util/files.ts'
import { Unscored } from '../evaluate/score.ts'
import type { Healthcheck, TaskStep } from '../task.ts'
import { type AgentChoice, agentMounts, modelVariables, programOf } from './agent-program.ts'
import { restoreLogs, stashLogs } from './attempt-logs.ts'
import {
  chooseAttempt,
  filesOfAttempt,
  filesOfSteps,
  home,
  logMount,
  openBox,
  outputOf,
  type RunBoxes,
} from './box-of-run.ts'
import type { BuiltInAgent, StepJob } from './built-in-agent.ts'

export interface AgentOptions extends AgentChoice {
  readonly timeoutMs: number
  readonly graceMs: number
  readonly signal: AbortSignal
  /** Assay's own agent; null: it is not used. */
  readonly builtIn: BuiltInAgent | null
}

/** How an agent ended its work on one step. */
export interface AgentEnd extends Pick<Exec, 'how' | 'exitCode' | 'signal' | 'reached' | 'wall_s' | 'cutBytes'> {
  readonly leftovers: readonly string[]
}

const nothingDone: AgentEnd = {
  how: 'exited',
  exitCode: 0,
  signal: null,
  reached: [],
  wall_s: 0,
  cutBytes: 0,
  leftovers: [],
}

/**
 * Lets the agent work on a step. Only its changes to the box's files stay; `then` inspects the box before it closes,
 * unless it was stopped.
 */
export async function workOnStep(
  which: StepAt,
  boxes: RunBoxes,
  options: AgentOptions,
  then: (box: Box) => Promise<void>,
): Promise<AgentEnd> {
  const { builtIn } = options
  if (builtIn?.reviewer != null) return workInAttempts(which, boxes, { ...options, builtIn }, then)
  return inStepBox(which, boxes, options, async box => {
    const end = await worked(which.step, box, boxes, options)
    if (end.how !== 'stopped') await then(box)
    return end
  })
}

interface StepAt {
  readonly step: TaskStep
  /** The how-many-th, from 0. */
  readonly at: number
}

/** Each attempt has its own files; those of the chosen one become the step's. */
async function workInAttempts(
  which: StepAt,
  boxes: RunBoxes,
  options: AgentOptions & { readonly builtIn: BuiltInAgent },
  then: (box: Box) => Promise<void>,
): Promise<AgentEnd> {
  const { step, at } = which
  const { wall_s, chosen, attempts } = await options.builtIn.workInAttempts(
    async (attempt, use) => {
      try {
        return await inStepBox(which, boxes, options, use, attempt)
      } finally {
        stashLogs(boxes, attempt)
      }
    },
    jobOf(step, boxes, options),
  )
  chooseAttempt(boxes, at, chosen)
  restoreLogs(boxes, chosen)
  for (let attempt = 0; attempt < attempts; attempt++)
    if (attempt !== chosen) await boxes.sandbox.discard(filesOfAttempt(boxes, at, attempt))
  await inStepBox(which, boxes, options, then, chosen, false)
  return { ...nothingDone, wall_s }
}

/** A box over the files of a step, as far as they exist, with everything prepared. */
async function inStepBox<T>(
  { step, at }: StepAt,
  boxes: RunBoxes,
  options: AgentOptions,
  use: (box: Box) => Promise<T>,
  attempt = 0,
  isNew = true,
): Promise<T> {
  const { models } = options
  const logs = (['agent', 'artifacts'] as const).map(name => logMount(boxes, name))
  writeAfresh(join(logs[0]?.source ?? '', 'instruction.md'), step.instruction)
  const box = await openBox(boxes, {
    files: filesOfAttempt(boxes, at, attempt),
    beneath: at === 0 ? [] : filesOfSteps(boxes, at - 1),
    mounts: [...agentMounts(step, boxes, options), ...logs],
    ports: models?.socket == null ? [] : [{ port: models.port, socket: models.socket }],
    env: models === null ? {} : modelVariables(models),
    network: boxes.about.task.limits.network,
    ...(step.agentUser !== null && { user: step.agentUser }),
  })
  try {
    if (isNew) await setUp(step, box, boxes, options)
    return await use(box)
  } finally {
    await box.close()
  }
}

async function worked(step: TaskStep, box: Box, boxes: RunBoxes, options: AgentOptions): Promise<AgentEnd> {
  const { agent, builtIn } = options
  if (agent.kind === 'nop') return nothingDone
  if (agent.kind !== 'assay') return started(step, box, boxes, options)
  if (builtIn === null) throw new AssayError('internal', 'the built-in agent was not made ready')
  return { ...nothingDone, wall_s: await builtIn.work(box, jobOf(step, boxes, options)) }
}

function jobOf({ instruction }: TaskStep, { workdir }: RunBoxes, { timeoutMs, signal }: AgentOptions): StepJob {
  return { instruction, workdir, home, timeoutMs, signal }
}

/** Everything that has to be right before the agent's time begins. */
async function setUp(step: TaskStep, box: Box, boxes: RunBoxes, options: AgentOptions): Promise<void> {
  const { healthcheck } = boxes.about.task.environment
  if (healthcheck !== null) await waitUntilHealthy(healthcheck, box, boxes, options)
  if (step.workdir === null) return
  await box.copyIn(step.workdir.folder, boxes.workdir)
  if (step.workdir.hasSetup) {
    const { exitCode } = await inBox(box, ['bash', 'setup.sh'], boxes, options)
    if (exitCode !== 0)
      throw new Unscored('setup_error', `setup.sh of step "${step.name}" ended with exit code ${exitCode}`)
  }
  if (step.healthcheck !== null) await waitUntilHealthy(step.healthcheck, box, boxes, options)
}

/** As Docker does it: failures in the start period don't count. */
async function waitUntilHealthy(check: Healthcheck, box: Box, boxes: RunBoxes, options: AgentOptions): Promise<void> {
  const { command, intervalSec, timeoutSec, startPeriodSec, retries } = check
  const begun = performance.now()
  let failures = 0
  for (;;) {
    const limits = { ...options, timeoutMs: timeoutSec * 1000 }
    const { exitCode } = await inBox(box, ['/bin/sh', '-c', command], boxes, limits)
    if (exitCode === 0) return
    options.signal.throwIfAborted()
    if (performance.now() - begun >= startPeriodSec * 1000) failures++
    if (failures >= retries)
      throw new Unscored('setup_error', `the environment is not healthy: ${command} failed ${failures} times`)
    await sleep(intervalSec * 1000, undefined, { signal: options.signal })
  }
}

/** A program of the setup, whose output goes to the log of the setup. */
async function inBox(box: Box, argv: readonly string[], boxes: RunBoxes, options: AgentOptions): Promise<Exec> {
  const file = join(boxes.dir, 'stage', 'output.txt')
  const exec = await box.exec(argv, {
    ...limitsOf(options),
    outputBytes: outputOf(boxes.spec),
    stdoutFile: file,
    stderrFile: file,
  })
  appendRegular(logFile(boxes, 'setup.log'), readRegular(file) ?? '')
  return exec
}

const limitsOf = ({
  timeoutMs,
  graceMs,
  signal,
}: AgentOptions): Pick<ExecOptions, 'timeoutMs' | 'graceMs' | 'signal'> => ({
  timeoutMs,
  graceMs,
  signal,
})

function logFile({ dir }: RunBoxes, name: string): string {
  mkdirSync(join(dir, 'logs'), { recursive: true })
  return join(dir, 'logs', name)
}

async function started(step: TaskStep, box: Box, boxes: RunBoxes, options: AgentOptions): Promise<AgentEnd> {
  const { argv, stdin, env, cwd, needs } = programOf(step, box, boxes, options)
  if (needs !== undefined) refuseMissing(await inBox(box, needs, boxes, options), needs)
  const name = boxes.about.task.steps.length === 1 ? 'agent' : `agent-${step.name}`
  const end = await box.exec(argv, {
    ...limitsOf(options),
    ...(stdin !== null && { stdin }),
    ...(cwd !== null && { cwd }),
    env,
    outputBytes: outputOf(boxes.spec),
    stdoutFile: logFile(boxes, `${name}.log`),
    stderrFile: logFile(boxes, `${name}-errors.log`),
  })
  refuseMissing(end, argv)
  return end
}

function refuseMissing({ how }: Exec, [program]: readonly string[]): void {
  if (how === 'not_started')
    throw new AssayError('unsupported_environment', `missing_tool: ${program} can't be started in the box`)
}
