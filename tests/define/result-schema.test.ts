import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/define/outcome.ts'
import type { AttemptResult } from '../../src/define/run.ts'
import { readWireResult } from '../../src/execute/queue/wire-result.ts'
import { writeMeta } from '../../src/perform/meta-file.ts'
import { readResult } from '../../src/perform/read-result.ts'
import { jobWith } from '../perform/support.ts'
import { temporaryDirectory } from '../process/support.ts'

const outcome: Required<Outcome> = {
  kind: 'failed',
  exit_code: 3,
  signal: 'SIGTERM',
  error_class: 'exit_3',
  message: 'it ended with 3',
  said: 'Error: no gold',
  unsupported_environment: true,
  sandbox: 'docker',
  limit: 'run_calls',
  limit_at: 8,
  only_scoring_left: true,
  exit_status: 'submitted',
}

// Each value differs from the default. `Required`: a new field does not compile until it is here.
const complete: Required<AttemptResult> = {
  token: 'the-token',
  mode: 'score',
  outcome,
  wall_s: 1.5,
  cpu_s: 2.5,
  max_rss_bytes: 4096,
  metrics: [
    { metric: 'score', value: 0.75 },
    { metric: 'loss', problem: 'no such file' },
  ],
  series: [{ metric: 'loss', steps: [0, 1], values: [2, 1] }],
  cost_usd: 0.5,
  cost_at_least_usd: 0.25,
  cost_assumed: true,
  calls: 6,
  tokens: 7,
  outputs: ['out.txt'],
  command: ['sh', '-c', 'exit 3'],
  cwd: '/work',
  place: 'runs/the-run',
}

describe('every field of a result', () => {
  it('survives the message of a queue', () => {
    const sent = JSON.stringify({ result: complete, worker: 'w', files: null })
    expect(readWireResult(JSON.parse(sent))?.result).toEqual(complete)
  })

  it.each(['result.json', 'meta.json'])('is in %s', name => {
    const { dir, folder } = written()
    rmSync(join(folder, name === 'result.json' ? 'meta.json' : 'result.json'))
    expect(readResult(dir, 'the-run')).toEqual(complete)
  })
})

it('reads a result of a version that measured nothing else', () => {
  const { dir, folder } = written()
  const { mode, cpu_s, max_rss_bytes, calls, tokens, cost_assumed, sha256, ...older } = JSON.parse(
    readFileSync(join(folder, 'meta.json'), 'utf8'),
  )
  rmSync(join(folder, 'result.json'))
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(older))
  const { cost_assumed: _, ...rest } = complete
  expect(readResult(dir, 'the-run')).toEqual({
    ...rest,
    ...{ mode: 'run', cpu_s: null, max_rss_bytes: null, calls: 0, tokens: 0 },
  })
})

function written(): { readonly dir: string; readonly folder: string } {
  const dir = temporaryDirectory()
  const folder = join(dir, complete.place ?? '')
  mkdirSync(folder, { recursive: true })
  writeMeta(folder, jobWith({ token: complete.token, mode: complete.mode }), complete)
  return { dir, folder }
}
