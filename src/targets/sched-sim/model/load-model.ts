import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readChecked } from '../../../define/read-files.ts'
import { AssayError } from '../../../util/errors.ts'
import { modelProblems } from './check-model.ts'
import { defaultModel } from './default-model.ts'
import type { DistributionSpec } from './distribution-schema.ts'
import { fitDistribution } from './fit.ts'
import { readColumn } from './latencies.ts'
import { type Model, modelSchema } from './model-schema.ts'

/** A model file over the default model, checked, with every distribution fitted. */
export function loadModel(file: string, cwd: string): Model {
  if (!existsSync(resolve(cwd, file)))
    throw new AssayError('config', `${file}: no such file`, { hint: 'assay sim --print-model > model.yaml makes one' })
  const overDefault = (written: object): Model => ({ ...defaultModel, ...written }) as Model
  const written = readChecked(file, cwd, { schema: modelSchema, check: read => modelProblems(overDefault(read)) })
  return fitted(overDefault(written), dirname(resolve(cwd, file)))
}

function fitted(model: Model, folder: string): Model {
  const steps = Object.entries(model.steps).map(([name, step]) => {
    const service_ms = fittedDistribution(step.service_ms, folder, name)
    return [name, { ...step, service_ms }] as const
  })
  const { arrivals } = model
  const isTrace = typeof arrivals === 'object' && 'trace' in arrivals
  return {
    ...model,
    steps: Object.fromEntries(steps),
    arrivals: isTrace ? { trace: resolve(folder, arrivals.trace) } : arrivals,
  }
}

function fittedDistribution(spec: DistributionSpec, folder: string, step: string): DistributionSpec {
  if (typeof spec !== 'object' || spec.kind !== 'fit') return spec
  const latencies = readColumn(spec.csv, spec.column, { folder, where: spec.where })
  if (latencies.length < 2 || latencies.some(latency => latency <= 0))
    throw new AssayError('config', `${spec.csv}: fitting ${step} needs at least two latencies, all above 0`)
  return { ...fitDistribution(latencies, spec.family), ...(spec.tail === undefined ? {} : { tail: spec.tail }) }
}
