import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { argumentsOf } from '../../../spelling/spelling.ts'
import type { ProgramModule } from '../../dialect.ts'

const source = z
  .enum(['shim', 'real', 'off'])
  .describe(
    'Where a Python program gets `import wandb` from. shim: a small module of assay, which needs no account. real: the ' +
      'installed package, whose numbers assay gets too. off: nothing is done about it.',
  )

const setting = z.lazy(() =>
  z.union([
    source,
    z.strictObject({
      module: source.default('shim'),
      project: z.string().optional().describe('What `run.project` is.'),
      entity: z.string().optional().describe('What `run.entity` is.'),
    }),
  ]),
)

/** Where Python finds `wandb`: next to this file, and next to the bundle. */
const modules = fileURLToPath(new URL('python', import.meta.url))

/** What a program that imports `wandb` finds: the module, and the run's configuration for it. */
export const wandbProgram: ProgramModule<typeof setting> = {
  setting,
  // As in python/wandb/_say.py.
  notice: 'assay wandb: ',
  environment(given, run, experiment, pythonPath) {
    const { module, project, entity } = typeof given === 'string' ? { module: given } : given
    if (module === 'off') return {}
    const config = argumentsOf(run.params, experiment).map(({ name, json }) => `${JSON.stringify(name)}:${json}`)
    const facts = { module, sweep: experiment.name, project: project ?? experiment.name, entity: entity ?? null }
    return {
      PYTHONPATH: pythonPath === undefined || pythonPath === '' ? modules : `${modules}${delimiter}${pythonPath}`,
      ...(module === 'shim' && { WANDB_RUN_ID: run.name, WANDB_SWEEP_ID: experiment.name }),
      // Assembled by hand, since Python distinguishes 1.0 from 1.
      ASSAY_WANDB: `${JSON.stringify(facts).slice(0, -1)},"config":{${config.join(',')}}}`,
    }
  },
}
