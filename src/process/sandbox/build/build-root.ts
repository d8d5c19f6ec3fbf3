import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AssayError } from '../../../util/errors.ts'
import { sha256, sha256OfJson } from '../../../util/hash.ts'
import { plainOutput } from '../../../util/words.ts'
import { type Box, type BuildOptions, hostRoot, type Placed, type Root, type Sandbox } from '../box.ts'
import { shortened } from '../dockerfile/instructions.ts'
import type { Recipe, Step } from '../recipe.ts'
import { cached, pruneBuilds } from './cached.ts'
import { digestOf, filesOf } from './context-files.ts'
import { isProvided } from './provided.ts'

/** What determines the result besides the recipe. */
interface Ground {
  /** Changes when programs of the host do. */
  readonly host: string
}

/** Runs the steps of a recipe in a box on top of the host, and keeps what they wrote. */
export async function buildRoot(
  sandbox: Sandbox,
  recipe: Recipe,
  options: BuildOptions,
  ground: Ground,
): Promise<Root> {
  const skipped = recipe.steps.filter(step => isProvided(step, options.provided))
  const steps = recipe.steps.filter(step => !skipped.includes(step))
  const settled = settle(sandbox, steps)
  const root: Root = {
    ...hostRoot,
    ...settled,
    skipped: skipped.map(step => step.text),
    notes: [
      ...(recipe.image === null ? [] : [`programs of the host instead of the image ${recipe.image}`]),
      ...recipe.notes,
    ],
  }
  if (!steps.some(step => makesFiles.has(step.kind))) return { ...root, id: sha256OfJson(root).slice(0, 32) }
  const id = sha256OfJson({ form: 1, ground, steps: steps.map(step => identityOf(step, recipe.context)) }).slice(0, 32)
  pruneOnce(options.cacheDir)
  const folder = await cached(
    options.cacheDir,
    id,
    draft => make(sandbox, recipe, steps, options, draft),
    options.signal,
  )
  return { ...root, id, layer: join(folder, 'layer') }
}

const pruned = new Set<string>()

/** Once per process: deletes environments that were not used for a day, if there are many. */
function pruneOnce(cacheDir: string): void {
  if (pruned.has(cacheDir)) return
  pruned.add(cacheDir)
  pruneBuilds(cacheDir, { most: 100, mostBytes: 20e9, usedSince: Date.now() - 24 * 3600_000 })
}

const makesFiles = new Set<Step['kind']>(['run', 'copy', 'write'])

/** The environment of programs in the box. */
function settle({ can }: Sandbox, steps: readonly Step[]): Pick<Root, 'env' | 'workdir' | 'user'> {
  const env: Record<string, string> = {}
  let workdir = '/'
  let user: string | null = null
  for (const step of steps) {
    if (step.kind === 'env') env[step.name] = step.value
    if (step.kind === 'workdir') workdir = step.path
    if (step.kind === 'user' && can.otherUsers) user = step.name
  }
  return { env, workdir, user }
}

function identityOf(step: Step, context: string | null): unknown {
  const { line: _, ...rest } = step
  if (step.kind !== 'copy') return rest
  const files = filesOf(step, context).map(({ source, target }) => [digestOf(source), target])
  return { ...rest, files }
}

async function make(
  sandbox: Sandbox,
  recipe: Recipe,
  steps: readonly Step[],
  options: BuildOptions,
  draft: string,
): Promise<void> {
  const files = join(draft, 'files')
  const box = await sandbox.open({
    ...noLimits,
    token: options.token,
    root: hostRoot,
    files,
    workdir: '/',
    network: options.network ? 'host' : 'none',
  })
  const until = performance.now() + options.timeoutMs
  try {
    const state = { env: {} as Record<string, string>, workdir: '/', user: 'root' }
    for (const step of steps) await take(step, box, state)
  } finally {
    await box.close()
  }
  renameSync(join(files, 'u'), join(draft, 'layer'))
  await sandbox.discard(files)

  async function take(step: Step, opened: Box, state: { env: Record<string, string>; workdir: string; user: string }) {
    switch (step.kind) {
      case 'env':
      case 'arg':
        state.env[step.name] = step.value
        return
      case 'workdir':
        state.workdir = step.path
        return await run({ ...step, kind: 'run', argv: ['mkdir', '-p', step.path] }, opened, { ...state, workdir: '/' })
      case 'user':
        if (sandbox.can.otherUsers) state.user = step.name
        return
      case 'copy':
        for (const { source, target } of await filesIn(step, opened)) await opened.copyIn(source, target)
        return await changeMode(step, opened, state)
      case 'write':
        await copyText(opened, step.content, step.to)
        return await changeMode(step, opened, state)
      case 'run':
        return await run(step, opened, state)
    }
  }

  /** As Docker does: a file that is copied to a folder goes into it. */
  async function filesIn(step: Step & { kind: 'copy' }, opened: Box): Promise<readonly Placed[]> {
    const outputFile = join(draft, 'output.txt')
    const limits = { timeoutMs: options.timeoutMs, graceMs: 1000, outputBytes: 1000 }
    const test = await opened.exec(['test', '-d', step.to], {
      ...limits,
      stdoutFile: outputFile,
      stderrFile: outputFile,
    })
    const to = test.exitCode === 0 && !step.to.endsWith('/') ? `${step.to}/` : step.to
    return filesOf({ ...step, to }, recipe.context)
  }

  async function changeMode(step: Step & { kind: 'copy' | 'write' }, opened: Box, state: StepState): Promise<void> {
    if (step.mode === null) return
    const argv = ['chmod', '-R', step.mode.toString(8), step.to]
    await run({ ...step, kind: 'run', argv }, opened, { ...state, user: 'root', workdir: '/' })
  }

  async function run(step: Step & { kind: 'run' }, opened: Box, { env, workdir, user }: StepState): Promise<void> {
    options.onLine?.(shortened(step.text))
    const outputFile = join(draft, 'output.txt')
    const { how, exitCode } = await opened.exec(step.argv, {
      env: { DEBIAN_FRONTEND: 'noninteractive', ...options.env, ...env },
      cwd: workdir,
      user,
      ...(step.stdin === undefined ? {} : { stdin: step.stdin }),
      timeoutMs: Math.max(1, until - performance.now()),
      graceMs: 1000,
      outputBytes: 1 << 20,
      stdoutFile: outputFile,
      stderrFile: outputFile,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const output = plainOutput(readFileSync(outputFile, 'utf8'))
    for (const line of output.split('\n').filter(Boolean)) options.onLine?.(line)
    if (how === 'stopped') throw new AssayError('interrupted', 'the build of the environment was stopped')
    if (how === 'exited' && exitCode === 0) return
    throw failed(step, how === 'timed_out' ? 'took too long' : `failed with exit code ${exitCode}`, output, options)
  }
}

interface StepState {
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user: string
}

const noLimits = { mounts: [], env: {}, ports: [], memoryMb: null, pids: null, storageMb: null }

function failed({ line, text }: Step, why: string, output: string, { network }: BuildOptions): AssayError {
  const lines = output.split('\n').filter(part => part.trim() !== '')
  // The first error if it is marked as one, otherwise how it ended.
  const reason = lines.find(part => /^(E:|ERROR|error:|fatal:)/.test(part)) ?? lines.at(-1) ?? ''
  return new AssayError(
    'unsupported_environment',
    `Dockerfile line ${line}: the step ${why}: ${shortened(text)}${reason === '' ? '' : ` (${shortened(reason)})`}`,
    {
      hint: network
        ? 'If the host has what this step installs, declare it: --provided with a pattern that matches the step.'
        : 'The step ran without a network. If the host has what it installs, declare it: --provided with a pattern that matches the step.',
      facts: { line, step: text, output: lines.slice(0, 40) },
    },
  )
}

async function copyText(box: Box, content: string, to: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'))
  try {
    const file = join(folder, sha256(to))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    await box.copyIn(file, to)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
