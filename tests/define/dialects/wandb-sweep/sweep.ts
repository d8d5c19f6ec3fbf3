import type { Experiment } from '../../../../src/define/experiment.ts'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import type { Overrides } from '../../../../src/define/overrides/overrides.ts'
import { targets } from '../../../../src/targets/registry.ts'
import { errorOf, folderWith } from '../../example.ts'

/** A sweep file, in a folder with the program that it names. */
export const loadSweep = (yaml: string, overrides: Overrides = {}): Experiment =>
  loadExperiment('sweep.yaml', { targets, overrides, cwd: folderWith({ 'sweep.yaml': yaml, 'train.mjs': '' }) })

/** The head of a sweep that needs no Python, on lines 1 and 2. */
export const head = (method = 'random') =>
  `program: train.mjs\ncommand: [node, "\${program}", "\${args}"]\nmethod: ${method}\n`

/** One parameter called x. */
export const withParameter = (parameter: string, method = 'random', overrides: Overrides = {}): Experiment =>
  loadSweep(`${head(method)}parameters:\n  x: ${parameter}\n`, overrides)

/** The message for the user, without the file's name. */
export const complaintsOn = (yaml: string, overrides: Overrides = {}): string =>
  errorOf(() => loadSweep(yaml, overrides)).message.replaceAll('sweep.yaml:', '')
