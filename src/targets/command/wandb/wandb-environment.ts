import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run } from '../../../define/run.ts'
import { argumentsOf } from '../../../define/spelling/spelling.ts'
import type { RunContext } from '../../../define/target.ts'
import type { CommandSpec } from '../spec.ts'

/** Where Python finds `wandb`: beside this file, and beside the bundle. */
const modules = fileURLToPath(new URL('python', import.meta.url))

/** What a program finds that imports `wandb`: the module, and the run's configuration for it. */
export function wandbEnvironment(
  spec: CommandSpec,
  run: Run,
  { experiment }: RunContext,
  pythonPath = process.env.PYTHONPATH,
): Readonly<Record<string, string>> {
  const { module, project, entity } = settingsOf(spec)
  if (module === 'off') return {}
  const config = argumentsOf(run.params, experiment).map(({ name, json }) => `${JSON.stringify(name)}:${json}`)
  const facts = { module, sweep: experiment.name, project: project ?? experiment.name, entity: entity ?? null }
  return {
    PYTHONPATH: pythonPath === undefined || pythonPath === '' ? modules : `${modules}${delimiter}${pythonPath}`,
    ...(module === 'shim' && { WANDB_RUN_ID: run.name, WANDB_SWEEP_ID: experiment.name }),
    // Put together by hand, since Python tells 1.0 from 1.
    ASSAY_WANDB: `${JSON.stringify(facts).slice(0, -1)},"config":{${config.join(',')}}}`,
  }
}

function settingsOf({ wandb }: CommandSpec): {
  readonly module: 'shim' | 'real' | 'off'
  readonly project?: string | undefined
  readonly entity?: string | undefined
} {
  if (wandb === undefined) return { module: 'off' }
  return typeof wandb === 'string' ? { module: wandb } : wandb
}
