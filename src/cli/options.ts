import { longFlag } from '../util/words.ts'
import { agentOptions } from './tables/options/agent-options.ts'
import { analysisOptions } from './tables/options/analysis-options.ts'
import { analyzeOptions } from './tables/options/analyze-options.ts'
import { callOptions } from './tables/options/call-options.ts'
import { contextOptions } from './tables/options/context-options.ts'
import { reportOptions, serveOptions } from './tables/options/look-options.ts'
import { modelsOptions } from './tables/options/models-options.ts'
import type { OptionSpec } from './tables/options/option.ts'
import { powerOptions } from './tables/options/power-options.ts'
import { queueOptions } from './tables/options/queue-options.ts'
import { runOptions } from './tables/options/run-options.ts'
import { scenarioOptions } from './tables/options/scenario-options.ts'
import { simOptions } from './tables/options/sim-options.ts'
import { slurmOptions } from './tables/options/slurm-options.ts'
import { sweepOptions } from './tables/options/sweep-options.ts'
import { rolloutsOptions, tasksOptions } from './tables/options/tasks-options.ts'
import { varianceOptions } from './tables/options/variance-options.ts'

/**
 * Every option of every command. The key is its long name: `dryRun` is `--dry-run` (and `--dry_run`).
 * An option means the same in all commands that have it.
 */
export const options = {
  ...runOptions,
  ...callOptions,
  ...contextOptions,
  ...simOptions,
  ...analysisOptions,
  ...analyzeOptions,
  ...powerOptions,
  ...varianceOptions,
  ...reportOptions,
  ...sweepOptions,
  ...queueOptions,
  ...slurmOptions,
  ...modelsOptions,
  ...rolloutsOptions,
  ...serveOptions,
  ...tasksOptions,
  ...scenarioOptions,
  ...agentOptions,
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof options

/** What a command receives: the given options, parsed. */
export type Options = { readonly [Name in OptionName]?: ReturnType<(typeof options)[Name]['read']> }

export const optionNames = Object.keys(options) as readonly OptionName[]

export const optionSpec = (name: OptionName): OptionSpec => options[name]

/** The option that a word on the command line names, in any of its spellings. */
export function optionFor(word: string): OptionName | undefined {
  return byWord.get(word.startsWith('--') ? word.replaceAll('_', '-') : word)
}

const byWord = new Map<string, OptionName>(
  optionNames.flatMap(name => {
    const { short, aliases = [] } = optionSpec(name)
    const words = [longFlag(name), ...aliases.map(alias => `--${alias}`), ...(short === undefined ? [] : [`-${short}`])]
    return words.map(word => [word, name] as const)
  }),
)
