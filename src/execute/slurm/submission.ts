import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../../define/run.ts'
import type { Setting } from '../../perform/perform.ts'
import { fingerprintNow } from '../../record/provenance/provenance.ts'
import { packWork } from '../work-package.ts'
import { slurm } from './commands.ts'
import { jobsFile, type SlurmOptions, scriptText } from './script.ts'
import { type EarlierTask, newTask, readEarlier, type Task } from './task.ts'
import { type Chunk, readChunk } from './task-messages.ts'

/** In the experiment's directory, which all nodes see: submitted work that is not done. */
const folderName = '.slurm'

export const submissionsIn = (dir: string): string => join(dir, folderName)

/** Whether Slurm may still have work of this experiment. */
export const hasSubmissions = (dir: string): boolean =>
  existsSync(submissionsIn(dir)) && readdirSync(submissionsIn(dir)).some(isSubmission)

const isSubmission = (name: string): boolean => name.startsWith('assay-')

/** The number that Slurm gave an array; without it, the array is found by its name. */
const numberFile = 'job'

/** Writes the jobs of an array and submits it, with one task for each chunk. */
export async function submitArray(
  setting: Setting,
  cwd: string,
  options: SlurmOptions,
  chunks: readonly (readonly Job[])[],
): Promise<readonly Task[]> {
  const root = submissionsIn(setting.dir)
  const name = `assay-${randomBytes(6).toString('hex')}`
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  try {
    const shared = { package: packageIn(root, setting, cwd), folder: setting.experiment.folder, dir: setting.dir, cwd }
    for (const [task, jobs] of chunks.entries())
      writeFileSync(join(folder, jobsFile(task)), JSON.stringify({ ...shared, jobs } satisfies Chunk))
    const script = join(folder, 'job.sh')
    writeFileSync(script, scriptText(options, { name, folder, cwd, tasks: chunks.length }))
    const job = await slurm.submit(script)
    writeFileSync(join(folder, numberFile), job)
    return chunks.map((_, number) => newTask(folder, name, number, job))
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function packageIn(root: string, setting: Setting, cwd: string): string {
  const work = packWork(setting, fingerprintNow(setting, cwd))
  const file = join(root, `package-${work.hash}.json`)
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(work))
  return file
}

/** The tasks that an earlier process submitted, with their messages, if they contain any of these attempts. */
export async function earlierTasks(dir: string, tokens: ReadonlySet<string>): Promise<readonly EarlierTask[]> {
  const root = submissionsIn(dir)
  const found: EarlierTask[] = []
  for (const name of existsSync(root) ? readdirSync(root).filter(isSubmission) : []) {
    const folder = join(root, name)
    const wanted = chunksIn(folder).filter(({ jobs }) => jobs.some(({ token }) => tokens.has(token)))
    const job = wanted.length === 0 ? null : await numberOf(root, name)
    if (job === null) continue
    for (const { number, jobs } of wanted)
      found.push(readEarlier(newTask(folder, name, number, job), new Map(jobs.map(one => [one.token, one]))))
  }
  return found
}

/** null: it was never submitted, and no longer can be. */
async function numberOf(root: string, name: string): Promise<string | null> {
  const file = join(root, name, numberFile)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const job = (await slurm.states([name]))[0]?.job ?? null
  // Without its folder, an array that is being submitted at this moment finds nothing to do.
  if (job === null) renameSync(join(root, name), join(root, `gone-${name}`))
  else writeFileSync(file, job)
  return job
}

function chunksIn(folder: string): readonly { readonly number: number; readonly jobs: readonly Job[] }[] {
  return readdirSync(folder).flatMap(name => {
    const [, number] = /^jobs-(\d+)\.json$/.exec(name) ?? []
    if (number === undefined) return []
    try {
      return [{ number: Number(number), jobs: readChunk(readFileSync(join(folder, name), 'utf8')).jobs }]
    } catch {
      // Half written when its process was killed: it was not submitted.
      return []
    }
  })
}
