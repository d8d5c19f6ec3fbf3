import { notNegative, numberOrPoints, positiveDecimal, powerShare, sizeList } from '../../parse-planning.ts'
import { positiveNumber, probability, text, usd } from '../../parse-values.ts'
import { list, type OptionSpec, value } from './option.ts'

const group = 'What is planned'

/** What planning and simulation of statistics ask for. Names with a dot are those of the pipeline that compare takes over from. */
export const powerOptions = {
  effect: value({
    group,
    value: 'difference',
    aliases: ['power.target-effect-size'],
    description: 'the difference to be found: 0.5, 2pts; in the unit of the metric with --sd or a pilot, else in sd',
    parse: numberOrPoints,
  }),
  runs: value({
    group,
    value: 'n',
    aliases: ['n'],
    description: 'how many pairs, or runs in each arm, or tasks',
    parse: positiveNumber,
  }),
  halfWidth: value({
    group,
    value: 'width',
    description: 'the interval is to be ± this',
    parse: positiveDecimal,
  }),
  power: value({
    group,
    value: 'share',
    aliases: ['power.target-power'],
    description: 'how often the difference is to be found (0.8)',
    parse: powerShare,
  }),
  sd: value({
    group,
    value: 'sd',
    description: 'standard deviation: of the differences of pairs, or within each arm',
    parse: positiveDecimal,
  }),
  ratio: value({
    group,
    value: 'ratio',
    description: 'with --unpaired: runs of the candidate for each run of the control (1)',
    parse: positiveDecimal,
  }),
  baseRate: value({
    group,
    value: 'share',
    description: "yes or no in two groups: the control's share of successes; --effect is a difference of shares",
    parse: probability,
  }),
  discordant: value({
    group,
    value: 'share',
    description: 'yes or no in pairs: the share of tasks that only one of the two solves',
    parse: probability,
  }),
  taskSd: value({
    group,
    value: 'sd',
    description: 'tasks × rollouts: sd, over tasks, of the true difference between the arms',
    parse: notNegative,
  }),
  rolloutSd: value({
    group,
    value: 'sd',
    description: 'tasks × rollouts: sd of one rollout around the mean of its task',
    parse: notNegative,
  }),
  rollouts: value({
    group,
    value: 'n',
    description: 'rollouts of each task in each arm',
    parse: positiveNumber,
  }),
  taskCost: value({
    group,
    value: 'usd',
    description: 'what a task costs, however often it is tried',
    parse: usd,
  }),
  rolloutCost: value({
    group,
    value: 'usd',
    description: 'what one rollout of one arm costs',
    parse: usd,
  }),
  sizes: value({
    group,
    value: 'list',
    aliases: ['power.sample-sizes'],
    description: 'numbers of units to look at: 5,10,20 or 5..20',
    parse: sizeList,
  }),
  trials: value({
    group,
    value: 'n',
    aliases: ['power.n-sim'],
    description: 'simulated experiments, for each number of units',
    parse: positiveNumber,
  }),
  data: list({
    group,
    value: 'kind',
    description: "only kinds of data with this in their name, e.g. 'normal, paired' or 'yes or no'",
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
