import type { Experiment } from '../../define/experiment.ts'
import { includedLevels } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import type { Json } from '../../util/json.ts'
import { simParams } from './params.ts'

/** A value that a parameter takes somewhere in an experiment, and where. */
export interface Given {
  readonly name: string
  readonly value: Json
  readonly path: Problem['path']
}

export function givenValues(experiment: Experiment): readonly Given[] {
  const { params, factors, zip, blocks, include, ablations } = experiment
  const known = blocks.filter(({ name }) => Object.hasOwn(simParams.unwrap().shape, name))
  return [
    ...entries(params, ['params']),
    ...[...factors, ...zip.flat()].flatMap(({ name, levels }) =>
      levels.map((value, index) => ({ name, value, path: ['factors', name, index] })),
    ),
    ...known.flatMap(({ name, levels }) => levels.map((value, i) => ({ name, value, path: ['blocks', name, i] }))),
    ...include.flatMap((row, index) =>
      entries(row, ['include', index]).flatMap(given =>
        given.name === 'ablation'
          ? []
          : includedLevels(given.name, given.value, experiment).map(value => ({ ...given, value })),
      ),
    ),
    ...ablations.flatMap(({ set }, index) => entries(set, ['ablations', index, 'set'])),
  ]
}

const entries = (map: Readonly<Record<string, Json>>, path: Problem['path']): readonly Given[] =>
  Object.entries(map).map(([name, value]) => ({ name, value, path: [...path, name] }))
