import type { Naming } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { spell } from '../../define/spelling/spelling.ts'
import type { RunPlace } from '../../define/target.ts'
import type { Json } from '../../util/json.ts'
import type { CommandSpec } from './spec.ts'

/** The arguments of `pass_params`: the parameters before the ablation's flags, the output directory after them. */
export function passedParams(
  spec: CommandSpec,
  naming: Naming,
  run: Run,
  place: RunPlace,
): { readonly params: readonly string[]; readonly outDir: readonly string[] } {
  const wanted = spec.pass_params
  if (wanted === undefined) return { params: [], outDir: [] }
  const names = new Set([...(wanted.order ?? []), ...Object.keys(run.params)])
  return {
    params: [...names].flatMap(name =>
      wanted.switches?.includes(name) ? asSwitch(name, run.params[name]) : asFlag(naming, name, run.params[name]),
    ),
    outDir: wanted.out_dir === undefined ? [] : [wanted.out_dir, place.out_dir],
  }
}

function asFlag(naming: Naming, name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === false) return []
  return value === true ? [`--${name}`] : [`--${name}`, spell(naming, name, value)]
}

/** By Python's truth: not 0 and not empty. */
function asSwitch(name: string, value: Json | undefined): readonly string[] {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return value && !isEmpty ? [`--${name}`] : []
}
