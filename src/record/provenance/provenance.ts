import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, hostname, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import { programDigests } from '../journal/experiment-row.ts'
import type { Journal } from '../journal/journal.ts'
import { whenFree } from '../journal/when-free.ts'
import { recordedArguments, recordedEnvironment } from './environment.ts'
import { gitState } from './git-state.ts'

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
  const git = await gitState(experiment.folder, experiment.out_root)
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
