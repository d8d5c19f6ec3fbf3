import { copyFileSync, linkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../define/outcome.ts'
import type { AttemptResult, Job } from '../define/run.ts'
import { systemCode } from '../util/errors.ts'
import { writeAfresh } from '../util/files.ts'
import { sha256 } from '../util/hash.ts'
import { refuseLink } from './run-directory.ts'

/**
 * Makes an attempt count: from here on it is finished, even if this process dies before the journal knows. One document
 * under two names, as making a second file costs as much as all the rest: scripts for Cascade's sweep runner
 * read `meta.json` (its ten keys come first, in its order); recovery after a crash reads `result.json`. Written in place: half a
 * document does not parse, so it can't be taken for a whole one.
 */
export function writeMeta(runDir: string, job: Job, result: AttemptResult): void {
  refuseLink(runDir)
  const meta = join(runDir, 'meta.json')
  const text = metaText(job, result)
  try {
    writeFileSync(meta, text, { flag: 'wx' })
  } catch (error) {
    // A program may have created a pipe with that name, on which writing would wait for ever, or a link to another
    // user's file.
    if (systemCode(error) !== 'EEXIST') throw error
    writeAfresh(meta, text)
  }
  try {
    linkSync(meta, join(runDir, 'result.json'))
  } catch (error) {
    // A program may have written a file of that name; it stays, and meta.json has to do.
    if (systemCode(error) === 'EEXIST') return
    // Some file systems have no second names.
    copyFileSync(meta, join(runDir, 'result.json'))
  }
}

function metaText(job: Job, result: AttemptResult): string {
  const { run } = job
  // What has no other name or place in the file is written as it is, so nothing that a worker measures is left out.
  const { token, mode, outcome, wall_s, metrics, series: points, command, cwd, place: _, ...measured } = result
  const meta = {
    ablation_flags: run.flags,
    ablation_name: run.ablation,
    cmd: command,
    cwd,
    end_time_unix_s: job.started_at / 1000 + wall_s,
    exit_code: exitCodeOf(outcome),
    params: run.params,
    run_id: run.name,
    start_time_unix_s: job.started_at / 1000,
    wall_time_s: wall_s,
    key: run.key,
    block: run.block,
    replicate: run.replicate,
    seed: run.seed,
    // Left out if there are none.
    numbers: run.numbers,
    fingerprint: job.fingerprint,
    attempt: job.attempt,
    mode,
    continues: job.continues?.attempt ?? null,
    token,
    outcome,
    ...measured,
    metrics: Object.fromEntries(
      metrics.flatMap(reading => ('value' in reading ? [[reading.metric, reading.value]] : [])),
    ),
    metric_problems: Object.fromEntries(
      metrics.flatMap(reading => ('problem' in reading ? [[reading.metric, reading.problem]] : [])),
    ),
  }
  // Each series is on one line: one number per line would bury what people look for.
  const series = points.map(one => `    ${JSON.stringify(one)}`).join(',\n')
  const text = JSON.stringify(meta, null, 2).slice(0, -2)
  return sealed(`${text},\n  "series": [${series === '' ? '' : `\n${series}\n  `}]`)
}

/** A document ends with the digest of everything before it, so that a flipped bit is not read as another result. */
const sealed = (text: string): string => `${text},\n  "sha256": "${sha256(text)}"\n}\n`

/** Whether a document is unchanged. Documents of earlier versions have no digest. */
export function isAsWritten(text: string): boolean {
  const [seal, digest] = /,\n {2}"sha256": "(.*)"\n\}\n$/.exec(text) ?? []
  return seal === undefined || sha256(text.slice(0, -seal.length)) === digest
}

/** In Python's convention for subprocesses: negative is the number of a signal. */
function exitCodeOf(outcome: Outcome): number | null {
  if (!outcome.signal) return outcome.exit_code ?? null
  const named = Object.entries(constants.signals).find(([name]) => name === outcome.signal)
  const number = named?.[1] ?? Number(/^SIG(\d+)$/.exec(outcome.signal)?.[1])
  return Number.isNaN(number) ? null : -number
}
