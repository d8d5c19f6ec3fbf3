import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Box, Exec, Mount } from '../../../process/sandbox/box.ts'
import { messageOf } from '../../../util/errors.ts'
import { appendRegular, readEndOf, readRegular, writeAfresh } from '../../../util/files.ts'
import { variablesFor } from '../environment.ts'
import { readPytestSummary, resolvedBy } from '../evaluate/pytest-summary.ts'
import { readCtrf, readOwnMetrics, readRewards } from '../evaluate/read-reward.ts'
import { type TestResult, type TestScore, Unscored } from '../evaluate/score.ts'
import { layOut } from '../stage.ts'
import type { TaskStep, TestFile, Tests } from '../task.ts'
import { filesOfSteps, logMount, openBox, outputOf, type RunBoxes } from './box-of-run.ts'
import { phaseMs, type Rollout } from './rollout.ts'

/** The result of a step's tests, and the task's own numbers. */
export interface ScoredStep extends TestScore {
  readonly standard: Readonly<Record<string, number>>
  readonly custom: Readonly<Record<string, number>>
}

/**
 * Runs the tests of a step in a fresh box over the agent's files. Tests are only created here, and nothing that they
 * write stays in the agent's files: the next step does not see them, and the step can be scored again.
 */
async function scoreStep({ step, at }: StepAt, boxes: RunBoxes, options: ScoreOptions): Promise<ScoredStep> {
  const scratch = join(boxes.dir, 'scratch')
  rmSync(scratch, { recursive: true, force: true })
  rmSync(join(boxes.dir, 'logs', 'verifier'), { recursive: true, force: true })
  const logs = logMount(boxes, 'verifier')
  const files = join(scratch, 'files')
  const mounts = [
    ...testMounts(step.tests, join(scratch, 'tests')),
    logs,
    ...(['agent', 'artifacts'] as const).map(name => logMount(boxes, name)),
  ]
  const own = {
    ...{ mounts, files, env: {}, ports: [], network: boxes.about.task.limits.verifyNetwork },
    ...(step.verifyUser !== null && { user: step.verifyUser }),
  }
  const box = await openBox(boxes, { ...own, beneath: filesOfSteps(boxes, at) }).catch(async error => {
    await boxes.sandbox.discard(files)
    if (await opensWithoutAgent(boxes, own)) return messageOf(error)
    throw error
  })
  if (typeof box === 'string') return { ...failedBecause(step.tests, box), standard: {}, custom: {} }
  try {
    const score = await runTests(step, box, boxes, options, logs.source)
    return { ...score, ...readOwnMetrics(logs.source) }
  } finally {
    await box.close()
    await boxes.sandbox.discard(files)
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Whether a box opens over the files that the agent started with: then the agent's own files are the reason why none
 * opens over those.
 */
async function opensWithoutAgent(boxes: RunBoxes, own: Parameters<typeof openBox>[1]): Promise<boolean> {
  try {
    await (await openBox(boxes, { ...own, beneath: [] })).close()
    return true
  } catch {
    return false
  } finally {
    await boxes.sandbox.discard(own.files)
  }
}

/**
 * An agent that breaks its system so that no test can start has failed them: otherwise breaking it would avoid a low
 * score.
 */
function failedBecause(tests: Tests, why: string): TestScore {
  const output = `after the agent's changes no program can be started: ${why}`
  const failed = (name: string, rubric: string | null): TestResult => ({ name, passed: false, rubric, output })
  if (tests.kind === 'files')
    return { rewards: {}, tests: tests.files.map(({ path, rubricId }) => failed(path, rubricId)) }
  return { rewards: { reward: 0 }, tests: [failed('the environment', null)] }
}

/** With the time that tests have. */
export const scoreOneStep = (which: StepAt, rollout: Rollout): Promise<ScoredStep> =>
  scoreStep(which, rollout.boxes, {
    timeoutMs: phaseMs(rollout, 'tests', which.step.verifySec),
    graceMs: rollout.context.graceMs,
    signal: rollout.context.signal,
  })

/** A step that stays below its least reward ends the task. */
export const isTooLow = ({ minReward }: TaskStep, { rewards }: TestScore): boolean =>
  Object.entries(minReward ?? {}).some(([name, least]) => (rewards[name] ?? 0) < least)

interface StepAt {
  readonly step: TaskStep
  /** The how-many-th, from 0. */
  readonly at: number
}

interface ScoreOptions {
  readonly timeoutMs: number
  readonly graceMs: number
  readonly signal: AbortSignal
}

/** Where Harbor and terminal-bench put them, on a copy that they may write to. */
const testsFolder = '/tests'

function testMounts(tests: Tests, folder: string): readonly Mount[] {
  if (tests.kind !== 'script') return []
  layOut(tests.files, testsFolder, folder, tests.command)
  return [{ source: folder, target: testsFolder, writable: true }]
}

async function runTests(
  { tests }: TaskStep,
  box: Box,
  boxes: RunBoxes,
  options: ScoreOptions,
  logs: string,
): Promise<TestScore> {
  switch (tests.kind) {
    case 'script': {
      const env = variablesFor(boxes.about.task, tests.env)
      const { output } = await testProgram(tests.command, box, boxes, { ...options, env })
      writeAfresh(join(logs, 'test-stdout.txt'), output)
      if (tests.scoring === 'reward') return { rewards: readRewards(logs), tests: readCtrf(logs) }
      const results = readPytestSummary(output)
      return { rewards: { reward: resolvedBy(results) }, tests: results }
    }
    case 'files':
      return { rewards: {}, tests: await runFiles(tests.files, box, boxes, options) }
    case 'patch': {
      const named = [...tests.failToPass, ...tests.passToPass]
      await applyPatch(tests.patch, box, boxes, options)
      const { output } = await testProgram(['python3', '-m', 'pytest', '-rA', ...filesOf(named)], box, boxes, options)
      refuseWithoutPytest(output)
      const passed = new Set(summaryOf(output).flatMap(one => (one.passed ? one.name : [])))
      const wanted = named.map((name): TestResult => ({ name, passed: passed.has(name), rubric: null, output: null }))
      return { rewards: { reward: resolvedBy(wanted) }, tests: wanted }
    }
  }
}

/** A message of pytest itself: a program under test can print these words too, but not alone. */
function refuseWithoutPytest(output: string): void {
  if (/^\S*python\S*: No module named pytest$/.test(output.trim()))
    throw new Unscored('missing_tool', 'missing_tool: pytest is not there, and the tests of this task are run by it')
}

/** If pytest did not even begin, because the agent's code can't be loaded, no test has passed. */
function summaryOf(output: string): readonly TestResult[] {
  try {
    return readPytestSummary(output)
  } catch (error) {
    if (error instanceof Unscored) return []
    throw error
  }
}

const filesOf = (tests: readonly string[]): readonly string[] => [
  ...new Set(tests.map(name => name.split('::')[0] ?? name)),
]

/** One after the other, each with the time that one test file has. */
async function runFiles(
  files: readonly TestFile[],
  box: Box,
  boxes: RunBoxes,
  options: ScoreOptions,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = []
  for (const { path, content, rubricId, command } of files) {
    const source = join(boxes.dir, 'scratch', 'test-file')
    writeFileSync(source, content)
    await box.copyIn(source, `${boxes.workdir}/${path}`)
    const argv = command === null ? ['python3', '-m', 'pytest', '-q', path] : ['/bin/sh', '-c', command]
    const { exec, output } = await testProgram(argv, box, boxes, { ...options, isTimeoutAnAnswer: true })
    if (command === null) refuseWithoutPytest(output)
    results.push({
      name: path,
      passed: exec.how === 'exited' && exec.exitCode === 0,
      rubric: rubricId,
      output: cut(output),
    })
  }
  return results
}

async function applyPatch(patch: string, box: Box, boxes: RunBoxes, options: ScoreOptions): Promise<void> {
  const source = join(boxes.dir, 'scratch', 'tests.patch')
  writeFileSync(source, patch)
  await box.copyIn(source, '/tmp/tests.patch')
  const { exec, output } = await testProgram(
    ['git', 'apply', '--verbose', box.at('/tmp/tests.patch')],
    box,
    boxes,
    options,
  )
  if (exec.exitCode !== 0)
    throw new Unscored('tests_do_not_apply', `the patch with the tests does not apply: ${cut(output)}`)
}

/** A program of the tests, whose output also goes to the log of the evaluation. */
async function testProgram(
  argv: readonly string[],
  box: Box,
  boxes: RunBoxes,
  options: ScoreOptions & { readonly env?: Readonly<Record<string, string>>; readonly isTimeoutAnAnswer?: boolean },
): Promise<{ readonly exec: Exec; readonly output: string }> {
  const { isTimeoutAnAnswer = false, ...limits } = options
  const file = join(boxes.dir, 'scratch', 'output.txt')
  const exec = await box.exec(argv, {
    ...limits,
    outputBytes: outputOf(boxes.spec),
    stdoutFile: file,
    stderrFile: file,
    freshStorage: true,
  })
  const output = readRegular(file) ?? ''
  const log = join(boxes.dir, 'logs', 'eval.log')
  appendRegular(
    log,
    `$ ${argv.join(' ')}\n${output}${output.endsWith('\n') || output === '' ? '' : '\n'}[${ended(exec)}]\n`,
  )
  // Byte for byte.
  appendRegular(join(boxes.dir, 'test_output.txt'), readEndOf(file, Number.POSITIVE_INFINITY)?.end ?? '')
  if (exec.how === 'not_started')
    throw new Unscored('missing_tool', `missing_tool: ${argv[0]} can't be started in the box`)
  if (exec.how === 'timed_out' && !isTimeoutAnAnswer)
    throw new Unscored('verifier_timeout', `the tests did not end within ${options.timeoutMs / 1000} s`)
  if (exec.how === 'stopped') throw new Unscored('stopped', 'the tests were stopped', { retry: true })
  return { exec, output }
}

const ended = ({ how, exitCode, wall_s }: Exec): string =>
  `${how}${exitCode === null ? '' : `, exit code ${exitCode}`}, ${wall_s.toFixed(1)} s`

const mostOutput = 20_000
const cut = (text: string): string => (text.length <= mostOutput ? text : `…${text.slice(-mostOutput)}`)
