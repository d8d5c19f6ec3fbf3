import { trackerOptions } from '../../../define/dialects/for-help.ts'
import { decimal, text, word } from '../../parse-values.ts'
import { choice, flag, type OptionSpec, value, words } from './option.ts'

const group = 'Agent'

const yesNo = (description: string): OptionSpec<string> =>
  value({ group, value: 'true|false', description, parse: text })
const number = (description: string): OptionSpec<number> => value({ group, value: 'n', description, parse: decimal })
const name = (description: string): OptionSpec<string> => value({ group, value: 'name', description, parse: text })

/** One variant of the built-in agent over instances, without a configuration file; spelt as in scripts/run_sweep.py. */
export const contextOptions = {
  instances: value({
    group,
    value: 'path',
    description: 'task folders, or a SWE-bench .jsonl file, instead of what a file or subset names',
    parse: text,
  }),
  instancesSubset: choice({
    group,
    value: 'name',
    choices: ['verified', 'verified-mini', 'lite'],
    description: 'take instances/<name>.jsonl or the tasks in instances/<name>',
  }),
  instancesSlice: value({
    group,
    value: 'slice',
    description: 'which instances, as a Python slice: :5, 10:20, ::2',
    parse: text,
  }),
  instancesFilter: name('only instances whose id matches this regular expression from its start'),
  instancesShuffle: yesNo('shuffle the instances, as Python does'),
  instancesShuffleSeed: number('the seed of --instances-shuffle (42)'),
  callLimit: number('the most calls that the agent may make for an instance (250; 0: no limit)'),
  costLimit: number('the most that its calls for an instance may cost in USD, at list price (0: no limit)'),
  models: value({
    group: 'Models',
    value: 'file',
    description: 'a file with settings of models: prices, other addresses, simulated ones',
    parse: text,
  }),
  tracker: flag({
    group: 'Output',
    aliases: [trackerOptions.on],
    description: 'accepted for compatibility: everything is recorded anyway',
  }),
  runGroup: value({
    group: 'Output',
    value: 'name',
    aliases: [trackerOptions.group],
    description: 'stored as the tag group:name',
    parse: word,
  }),
  tags: words({
    group: 'Output',
    value: 'tag',
    aliases: [trackerOptions.tags],
    description: 'stored as tags',
    parse: word,
  }),
  weave: flag({ group: 'Output', description: 'accepted for compatibility: calls are traced, unless --no-weave' }),
  weaveProject: value({
    group: 'Output',
    value: 'name',
    description: 'accepted for compatibility, no effect',
    parse: text,
  }),
  execution: choice({
    group: 'Output',
    value: 'how',
    choices: ['inprocess', 'subprocess'],
    description: 'accepted for compatibility: metrics and traces are kept either way',
  }),
} as const satisfies Record<string, OptionSpec>
