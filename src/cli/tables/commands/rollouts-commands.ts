import type { ArgumentSpec, CommandRow } from './command.ts'

const benchmark = 'the name of a benchmark, its configuration file, or the directory of a series'
const one: ArgumentSpec = { name: '<benchmark>', description: benchmark }
const several: ArgumentSpec = { name: '<benchmarks...>', description: benchmark }

export const rolloutsCommands = {
  summarize: {
    group: 'Agents',
    summary: 'show the scores of a benchmark, or compare several',
    description:
      'Shows every run, the mean of each task and of all, pass@k and pass^k, and how many runs are scored, unscored and errored beside every mean; writes summary.md. With several benchmarks: a leaderboard, and a table of tasks with those first that one solves and another does not. See docs/benchmarks.md.',
    arguments: [several],
    options: ['latest', 'rollout', 'outRoot'],
    examples: [
      ['summarize my_benchmark --latest', 'the newest series'],
      ['summarize my_benchmark --rollout 20250824__12-34-56', 'one series'],
      ['summarize model_v1 model_v2', 'a leaderboard, and which tasks flipped'],
    ],
  },
  eval: {
    group: 'Agents',
    summary: 'score finished runs again, without running the agent',
    description:
      'Runs the tests and judges of each task again on what its runs left. Runs that have not finished are left alone. Earlier scores are kept as attempts of their runs.',
    arguments: [one],
    options: ['latest', 'rollout', 'outRoot', 'jobs', 'quiet'],
    examples: [
      ['eval my_benchmark --latest', 'the newest series'],
      ['eval data/rollouts/my_benchmark/20250824__12-34-56', 'one series, by its directory'],
    ],
  },
} as const satisfies Record<string, CommandRow>
