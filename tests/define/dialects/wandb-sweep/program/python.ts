import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import type { Json, JsonObject } from '../../../../../src/util/json.ts'
import { folderWith } from '../../../../support/assay.ts'

/** The path of the shipped module for runs. */
export const modules = fileURLToPath(new URL('../../../../../dist/python', import.meta.url))

export const hasPython = spawnSync('python3', ['--version']).status === 0

/** Tests that need Python are skipped with the reason if it is missing. */
export const describeWithPython = (name: string, tests: () => void) =>
  describe.skipIf(!hasPython)(hasPython ? name : `${name} (skipped: there is no python3)`, tests)

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Its reports, line by line. */
  readonly lines: readonly JsonObject[]
  readonly folder: string
}

/** Runs a Python program as a command run of a sweep would. */
export function python(
  program: string,
  config: JsonObject = {},
  more: { readonly files?: Record<string, string>; readonly facts?: JsonObject; readonly path?: string } = {},
): Ran {
  const folder = folderWith({ 'program.py': program, ...more.files })
  mkdirSync(join(folder, 'out'))
  const metrics = join(folder, 'metrics.jsonl')
  const facts: Json = {
    module: 'shim',
    sweep: 'the-sweep',
    project: 'the-project',
    entity: null,
    ...more.facts,
    config,
  }
  const { status, stdout, stderr } = spawnSync('python3', ['program.py'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PYTHONPATH: more.path === undefined ? modules : `${modules}:${join(folder, more.path)}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ASSAY_WANDB: JSON.stringify(facts),
      ASSAY_RUN_ID: 'the-run',
      ASSAY_OUT_DIR: join(folder, 'out'),
      ASSAY_METRICS_FILE: metrics,
    },
  })
  const text = existsSync(metrics) ? readFileSync(metrics, 'utf8') : ''
  const lines = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  return { status, stdout, stderr, lines, folder }
}
