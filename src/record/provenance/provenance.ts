import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, hostname, platform, release, totalmem } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { inputFiles, noSuchInput } from '../../define/read-files.ts'
import type { BoundTarget } from '../../define/target.ts'
import { type Fingerprint, fingerprintOf } from '../../plan/identity.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import { secretName, spellingsOf, withoutAddressSecrets } from '../../util/secrets.ts'
import { version } from '../../util/version.ts'
import { text } from '../journal/columns.ts'
import { programDigests } from '../journal/experiment-row.ts'
import { type Journal, whenFree } from '../journal/journal.ts'
import { objectIn } from '../journal/stored.ts'

/**
 * Records what this process was: code, machine, versions, environment. Once per process, not per run. A dirty working
 * tree's patch is kept as `provenance/<hash>.diff`, so that the exact code can be had back.
 */
export async function recordProvenance(
  journal: Journal,
  dir: string,
  experiment: Experiment,
  context: {
    readonly workerId: number
    readonly argv: readonly string[]
    readonly env: Readonly<Record<string, string | undefined>>
    readonly now: number
  },
): Promise<void> {
  const git = await gitState(experiment.folder, experiment.out_root, context.env)
  const facts: JsonObject = {
    assay: version,
    node: process.version,
    argv: recordedArguments(context.argv),
    host: hostname(),
    platform: `${platform()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    config: experiment.file,
    programs: programDigests(journal),
    environment: recordedEnvironment(context.env, experiment.record_env),
    git: git && { commit: git.commit, branch: git.branch, dirty: git.dirty, diff: keepDiff(dir, git.diff) },
  }
  const write = () => {
    const id = journal.insert('INSERT INTO provenance (at, facts) VALUES (?, ?)', context.now, JSON.stringify(facts))
    journal.run('UPDATE workers SET provenance_id = ? WHERE id = ?', id, context.workerId)
  }
  await whenFree(() => journal.transaction(write))
}

/** The patch's path inside the experiment's directory; null when there is nothing to keep. */
function keepDiff(dir: string, diff: string): string | null {
  if (diff === '') return null
  const path = join('provenance', `${sha256(diff).slice(0, 12)}.diff`)
  if (!existsSync(join(dir, path))) {
    mkdirSync(join(dir, 'provenance'), { recursive: true })
    writeFileSync(join(dir, path), diff)
  }
  return path
}

/** Variables that change how programs behave and contain nothing private. */
const usual =
  /^(PATH|LANG|LC_\w+|TZ|SHELL|NODE_OPTIONS|NODE_ENV|PYTHON\w*|VIRTUAL_ENV|CONDA_\w+|OMP_\w+|MKL_\w+|OPENBLAS_\w+|CUDA_\w+|NVIDIA_\w+|ROCR_\w+|HIP_\w+|SLURM_JOB_ID|SLURM_ARRAY_\w+|ASSAY_\w+|CI|LD_LIBRARY_PATH|LD_PRELOAD)$/

/** The recorded environment: an allow-list plus the names asked for; values that look secret are masked. */
function recordedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  asked: readonly string[],
): Record<string, string> {
  const names = Object.keys(env).filter(name => usual.test(name) || asked.includes(name))
  return Object.fromEntries(names.sort().map(name => [name, masked(name, env[name] ?? '')]))
}

/** The recorded command line: `--set api_key=…` loses its value, and `--set=api_key=…` too. */
export function recordedArguments(argv: readonly string[]): string[] {
  return argv.map(argument => {
    const parts = argument.split('=')
    const secret = parts.slice(0, -1).findIndex(name => secretName.test(name))
    return secret < 0 || isAddress.test(argument)
      ? withoutAddressSecrets(argument)
      : `${parts.slice(0, secret + 1).join('=')}=(masked)`
  })
}

const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i

const masked = (name: string, value: string): string =>
  secretName.test(name) ? '(masked)' : withoutAddressSecrets(value)

/** The state of the working tree that the experiment was started from. */
interface GitState {
  readonly commit: string
  readonly branch: string
  readonly dirty: boolean
  /** The differences from the commit, as a patch; new files are listed only by name. */
  readonly diff: string
}

/** Larger patches are not kept: they are more often generated files than code. */
const maxDiffBytes = 8 * 1024 * 1024

/** null if there is no git, or no commit yet. Files that assay itself writes into `results` are not changes to the code. */
async function gitState(folder: string, results: string, env: Environment): Promise<GitState | null> {
  if (!mayBeInRepository(folder)) return null
  // As few calls as possible: each starts a program, and searching a large working tree takes a while.
  const head = await git(folder, 'rev-parse', '--show-toplevel', 'HEAD', '--abbrev-ref', 'HEAD')
  if (head === null) return null
  const [branch = '', commit = '', ...top] = head.trimEnd().split('\n').reverse()
  const code = [':/', ...withoutOurs(top.reverse().join('\n'), results)]
  const status = await git(folder, 'status', '--porcelain', '--', ...code)
  const isChanged = status === null || status.split('\n').some(line => line !== '' && !line.startsWith('?? '))
  const patch = ['diff', 'HEAD', '--no-ext-diff', '--no-color', '--', ...code, ...secretFiles.map(notIn)]
  const diff = isChanged ? await git(folder, ...patch) : ''
  const secret = (status ?? '').split('\n').filter(line => !line.startsWith('??') && isSecretFile(line.slice(3)))
  return {
    commit,
    branch,
    dirty: (status ?? '').trim() !== '',
    diff: [
      untracked(status ?? ''),
      ...secret.map(line => `# changed, but not stored because it may contain secrets: ${line.slice(3)}\n`),
      diff === null ? '# the patch was too large to keep, or git could not make it\n' : withoutSecretsOf(env, diff),
    ].join(''),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Files that usually contain secrets, in any folder: their changes are not recorded. */
const secretFiles = [
  ...['.env', '.env.*', '*.env', '.netrc', '.npmrc', '.pypirc', '*.pem', '*.key', '*.p12'],
  ...['id_rsa*', 'id_ed25519*', '*credentials*', '*secret*'],
]

const notIn = (pattern: string): string => `:(top,exclude,glob,icase)**/${pattern}`

const isSecretFile = (path: string): boolean =>
  secretFiles.some(pattern => {
    const [before = '', ...after] = pattern.split('*').map(part => part.replaceAll('.', '\\.'))
    return new RegExp(`(^|[/"])${[before, ...after].join('[^/]*')}"?$`, 'i').test(path)
  })

/** The value of a secret variable may also have been written into the code for a test. */
function withoutSecretsOf(env: Environment, diff: string): string {
  const secrets = Object.entries(env).flatMap(([name, value = '']) =>
    secretName.test(name) && value.trim().length >= shortestSecret ? spellingsOf(value.trim()) : [],
  )
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '(masked)'), diff)
  return withoutAddressSecrets(clean)
}

/** Shorter values are ordinary words that occur in any code. */
const shortestSecret = 8

/** Starting git only to learn that there is no repository takes longer than many a run. */
function mayBeInRepository(folder: string): boolean {
  if (process.env.GIT_DIR !== undefined) return true
  if (!existsSync(folder)) return false
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

/** Git refuses to exclude paths that are not in the repository. */
function withoutOurs(top: string, results: string): readonly string[] {
  if (!existsSync(results)) return []
  const path = relative(top, realpathSync(results))
  return path === '' || path.startsWith('..') ? [] : [`:(top,exclude,literal)${path}`]
}

function untracked(status: string): string {
  const files = status.split('\n').filter(line => line.startsWith('?? '))
  return files.map(line => `# not in git: ${line.slice(3)}\n`).join('')
}

function git(folder: string, ...args: readonly string[]): Promise<string | null> {
  return new Promise(done => {
    execFile('git', ['-C', folder, ...args], { maxBuffer: maxDiffBytes, timeout: 10_000 }, (error, stdout) =>
      done(error ? null : stdout),
    )
  })
}

/** What changed in the code between two commits. */
export type CodeChange =
  | { readonly kind: 'changed'; readonly commits: number; readonly files: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }

/** As git reports it, in the folder of the experiment; only under `paths`, if any are given. */
export function codeBetween(folder: string, before: string, after: string, paths: readonly string[]): CodeChange {
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const files = git('diff', '--stat=200', '--no-ext-diff', '--no-color', before, after, '--', ...paths)
    const commits = git('rev-list', '--count', `${before}..${after}`, '--', ...paths)
    return {
      kind: 'changed',
      commits: Number(commits.trim()),
      files: files.split('\n').filter(line => line.trim() !== ''),
    }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : ''
    return { kind: 'unknown', reason: said === '' || said === undefined ? 'git could not determine it' : said }
  }
}

/** The fingerprint that runs made here and now would have. */
export function fingerprintNow({ experiment, target, spec }: BoundTarget, cwd: string): Fingerprint {
  const identity = target.identity(spec, experiment)
  // The behaviour of an experiment's own target is in its module, which therefore counts like a declared input.
  const inputs = [...experiment.inputs, ...(experiment.targets ?? []).map(({ path }) => path)]
  return fingerprintOf(experiment, identity, digestInputs(inputs, experiment.folder, cwd))
}

/**
 * SHA-256 of every declared input file, by its path relative to the configuration. A folder stands for all files in it,
 * a pattern for all it matches.
 */
function digestInputs(inputs: readonly string[], folder: string, cwd: string): { [path: string]: string } {
  const digests: { [path: string]: string } = {}
  for (const input of inputs) {
    const files = inputFiles(input, { folder, cwd })
    if (files === null) throw new AssayError('config', `inputs: ${noSuchInput(input, { folder, cwd })}`)
    for (const file of files) digests[relative(folder, file)] = digestFile(file)
  }
  return digests
}

/** Digests of existing files; files larger than 256 MB are left out, as reading them would delay every start. */
export function digestFiles(files: readonly string[], folder: string): { [path: string]: string } {
  const small = files.filter(
    file => (statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= 2 ** 28,
  )
  return Object.fromEntries(small.map(file => [relative(folder, file), digestFile(file)]))
}

function digestFile(file: string): string {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(1 << 20)
  const descriptor = openSync(file, 'r')
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer))
      hash.update(buffer.subarray(0, read))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

/** What each process that worked on the experiment recorded about itself and its environment. */
export const provenanceOfProcesses = (journal: Journal): readonly JsonObject[] =>
  journal
    .all({ facts: text }, 'SELECT facts FROM provenance ORDER BY id')
    .map(({ facts }) => objectIn(facts, 'provenance.facts', journal))
