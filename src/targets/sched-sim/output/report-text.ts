import type { SimSettings } from '../settings.ts'

/** The configuration and the result, in the lines that Cascade's simulator prints. */
export function configurationLines(settings: SimSettings, outDir: string, timeScale: number): readonly string[] {
  const flag = (value: boolean): string => (value ? 'true' : 'false')
  return [
    'agent_sched_sim config:',
    `  workflows=${settings.workflows}`,
    `  pdfs=${settings.pdfs}`,
    `  iters=${settings.iters}`,
    `  subqueries=${settings.subqueries}`,
    `  policy=${settings.policy}`,
    `  seed=${settings.seed}`,
    `  time_scale=${timeScale}`,
    `  out_dir=${outDir}`,
    `  enable_model_routing=${flag(settings.enable_model_routing)}`,
    `  disable_hedging=${flag(settings.disable_hedging)}`,
    `  disable_escalation=${flag(settings.disable_escalation)}`,
    `  disable_dag_priority=${flag(settings.disable_dag_priority)}`,
    `  heavy_tail_prob=${settings.model.heavy_tail.probability}`,
    `  heavy_tail_mult=${settings.model.heavy_tail.multiplier}`,
  ]
}

export function resultLines(
  summary: Readonly<Record<string, number>>,
  { outDir, hasTrace }: { readonly outDir: string; readonly hasTrace: boolean },
): readonly string[] {
  const files = ['summary.csv', 'workflows.csv', 'tiers.csv', ...(hasTrace ? ['trace.json'] : [])]
  return [
    'summary:',
    ...['makespan_mean_ms', 'makespan_p95_ms', 'cost_mean'].map(name => `  ${name}=${resultText(summary[name])}`),
    `outputs: ${files.map(file => `${outDir}/${file}`).join(', ')}`,
  ]
}

/** Without a completed workflow there is no makespan. */
const resultText = (value = Number.NaN): string =>
  Number.isFinite(value) ? String(Math.round(value * 1e6) / 1e6) : 'none'
