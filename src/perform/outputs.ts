import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputSpec } from '../define/experiment.ts'
import type { Outcome } from '../define/outcome.ts'

/** The declared outputs that are there. */
export function outputsIn(outputs: readonly OutputSpec[], runDir: string): string[] {
  return outputs.map(output => output.path).filter(path => existsSync(join(runDir, path)))
}

/** A run that ends well but without a file that it must leave has failed. */
export function checkOutputs(outcome: Outcome, outputs: readonly OutputSpec[], runDir: string): Outcome {
  if (outcome.kind !== 'completed') return outcome
  const missing = outputs.filter(output => output.required && !existsSync(join(runDir, output.path)))
  if (missing.length === 0) return outcome
  const paths = missing.map(output => output.path).join(', ')
  return { ...outcome, kind: 'failed', error_class: 'missing_output', message: `it ended without writing ${paths}` }
}
