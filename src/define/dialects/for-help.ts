import type { Template } from '../template.ts'
import { matrixJsonTemplate } from './matrix-json/matrix-template.ts'

export type { Template } from '../template.ts'

/** Templates of `init` in dialects other than the native one; in a separate file, because every `--help` reads it. */
export const dialectTemplates = [matrixJsonTemplate] as const satisfies readonly Template[]

/** The template of `init` that asks questions and writes a batch. */
export const batchTemplate = 'scenario-batch'

/**
 * Environment variables of W&B's agent that mean the same here: how many first runs may fail, and whether failures
 * never stop the sweep. Separate from the dialect, because every `--help` reads them.
 */
export const agentVariables = {
  initialFailures: 'WANDB_AGENT_MAX_INITIAL_FAILURES',
  anyFailures: 'WANDB_AGENT_DISABLE_FLAPPING',
} as const

/**
 * How programs of sweeps spell the options of a tracker, which mean tags here; separate from the dialect for the same
 * reason.
 */
export const trackerOptions = {
  on: 'wandb',
  project: 'wandb-project',
  entity: 'wandb-entity',
  group: 'wandb-group',
  tags: 'wandb-tags',
} as const
