import type { JsonObject } from '../../util/json.ts'
import type { LitellmModel } from './litellm.ts'
import type { SweagentSpec } from './spec.ts'

interface Batch {
  readonly spec: SweagentSpec
  /** By the names of parameters, with underscores. */
  readonly params: JsonObject
  readonly model: LitellmModel
  /** null: the agent's own. */
  readonly summarizer: LitellmModel | null
  readonly config: string
  readonly outputDir: string
}

/** The arguments of `sweagent run-batch`, in the order of scripts/run_sweep.py of the-complexity-trap. */
export function batchCommand({ spec, params, model, summarizer, config, outputDir }: Batch): readonly string[] {
  const cost = model.isBedrock || summarizer?.isBedrock === true ? 0 : numberOr(params.cost_limit, spec.cost_limit)
  const costText = Number.isInteger(cost) ? cost.toFixed(1) : String(cost)
  return [
    ...[spec.program, 'run-batch', '--config', config],
    ...['--agent.model.name', model.name],
    ...['--agent.model.per_instance_call_limit', String(numberOr(params.call_limit, spec.call_limit))],
    ...['--agent.model.per_instance_cost_limit', costText],
    ...['--agent.model.total_cost_limit', '0'],
    ...['--instances.type', 'swe_bench', '--instances.subset', spec.subset, '--instances.split', spec.split],
    ...(spec.slice === undefined ? [] : ['--instances.slice', spec.slice]),
    ...['--instances.shuffle', spec.shuffle ? 'True' : 'False', '--instances.shuffle_seed', String(spec.shuffle_seed)],
    ...['--num_workers', String(spec.num_workers)],
    ...placeOf(model, '--agent.model'),
    ...(summarizer === null
      ? []
      : [
          ...['--agent.summary_model.name', summarizer.name],
          ...['--agent.summary_model.per_instance_cost_limit', costText],
          ...['--agent.summary_model.total_cost_limit', '0'],
          ...placeOf(summarizer, '--agent.summary_model'),
        ]),
    ...['--output_dir', outputDir],
  ]
}

/** A key is named, not given: a list of processes would show it. */
const placeOf = (model: LitellmModel, option: string): readonly string[] => [
  ...(model.api_base === undefined ? [] : [`${option}.api_base`, model.api_base]),
  ...(model.api_key === undefined ? [] : [`${option}.api_key`, `$${model.api_key}`]),
  ...(model.max_input_tokens === undefined ? [] : [`${option}.max_input_tokens`, String(model.max_input_tokens)]),
  ...(model.max_output_tokens === undefined ? [] : [`${option}.max_output_tokens`, String(model.max_output_tokens)]),
]

const numberOr = (given: unknown, usual: number): number => (typeof given === 'number' ? given : usual)
