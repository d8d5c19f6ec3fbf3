import { asExperimentDirectory } from '../../../record/places.ts'
import { AssayError } from '../../../util/errors.ts'
import { chooseExperiment } from '../../experiment/choose-experiment.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { evaluate } from '../../rollouts/evaluate.ts'
import { seriesArgument } from '../../rollouts/series-argument.ts'

export async function evalCommand([word = '']: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = seriesArgument(word, options, io)
  if (asExperimentDirectory(dir) === undefined)
    throw new AssayError('usage', `${dir} was made by another program: assay can't score its runs again`, {
      hint: '`assay summarize` shows the scores that it has.',
    })
  return evaluate(chooseExperiment([dir], { jobs: options.jobs, json: options.json }, io), options, io)
}
