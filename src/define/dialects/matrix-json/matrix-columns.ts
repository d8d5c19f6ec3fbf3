import type { Columns } from '../dialect.ts'
import { originalRow } from './original-runs.ts'

/** The columns of Cascade's collector, in its order and spelling: scripts that read its table can read this one. */
export const matrixColumns: Columns = {
  first: [
    'run_id',
    'policy',
    'workflows',
    'pdfs',
    'iters',
    'subqueries',
    'seed',
    'time_scale',
    'enable_model_routing',
    'heavy_tail_prob',
    'heavy_tail_mult',
    'ablation_name',
    'ablation_flags',
    'disable_hedging',
    'disable_escalation',
    'disable_dag_priority',
    'exit_code',
    'wall_time_s',
    'sim_binary_version',
    'makespan_mean_ms',
    'makespan_p50_ms',
    'makespan_p95_ms',
    'makespan_p99_ms',
    'cost_mean',
    'cost_p50',
    'run_dir',
    'start_time_unix_s',
    'end_time_unix_s',
  ],
  of: ({ flags }) =>
    Object.fromEntries(
      ['disable_hedging', 'disable_escalation', 'disable_dag_priority'].map(part => [
        part,
        flags.includes(`--${part}`),
      ]),
    ),
  ofOriginal: originalRow,
  cellText: value => (typeof value === 'boolean' ? (value ? 'True' : 'False') : null),
  reading: {
    levels: ['policy', 'workflows', 'ablation_name'],
    pairs: ['seed'],
    metrics: ['makespan_p95_ms', 'makespan_mean_ms', 'cost_mean'].map(name => ({ name, goal: 'minimize' })),
  },
}
