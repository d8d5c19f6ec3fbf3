import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Experiment } from '../../src/define/experiment.ts'
import { loadExperiment } from '../../src/define/load-experiment.ts'
import type { Overrides } from '../../src/define/overrides/overrides.ts'
import type { Target } from '../../src/define/target.ts'
import { AssayError } from '../../src/util/errors.ts'

/** A target with as much of a schema as loading an experiment needs. */
const program = {
  kind: 'command',
  schema: z.strictObject({
    kind: z.literal('command'),
    command: z.array(z.string()).min(1),
    cwd: z.string().optional(),
    pass_params: z
      .strictObject({
        order: z.array(z.string()).optional(),
        out_dir: z.string().optional(),
        switches: z.array(z.string()).optional(),
      })
      .optional(),
  }),
  check: (spec: { command: string[] }) =>
    spec.command[0] === 'missing' ? [{ path: ['target', 'command', 0], message: 'no such program' }] : [],
  identity: () => ({}),
  describe: () => ({ command: [], cwd: '' }),
  bound: () => 'unknown' as const,
  execute: async () => ({ kind: 'completed' as const }),
}

export const targets = [program as unknown as Target]

/** A folder with these files in it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-define-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const head = 'name: example\ntarget: { kind: command, command: [echo] }\n'

/** An experiment from the lines that matter; name and target are put on lines 1 and 2. */
export const load = (yaml: string, overrides: Overrides = {}): Experiment =>
  loadExperiment('experiment.yaml', {
    targets,
    overrides,
    cwd: folderWith({ 'experiment.yaml': head + yaml }),
  })

export const loadFile = (name: string, content: string, overrides: Overrides = {}): Experiment =>
  loadExperiment(name, { targets, overrides, cwd: folderWith({ [name]: content }) })

/** The error that an action ends with. */
export function errorOf(action: () => unknown): AssayError {
  try {
    action()
  } catch (error) {
    if (error instanceof AssayError) return error
    throw error
  }
  throw new Error('expected an error')
}
