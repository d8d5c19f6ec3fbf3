import { type Aim, effectText, type PowerPage } from '../../../analyze/power/power-page.ts'
import { drawChart } from '../../../charts/draw-chart.ts'
import { chartDocument } from '../../../report/pictures/write-picture.ts'
import { isAvailable } from '../../../stats/estimate.ts'
import { AssayError } from '../../../util/errors.ts'

/** Power against the number of units, up to twice the needed number. */
export function powerPicture(page: Pick<PowerPage, 'answer' | 'model' | 'metric'>, aim: Aim): string {
  const { answer, model, metric } = page
  const { effect, n } = answer
  if (effect === null)
    throw new AssayError('usage', '--output: a power curve needs the difference to detect: give --effect')
  const needed = answer.question === 'runs' ? n : isAvailable(model.runsFor(effect)) ? model.runsFor(effect) : null
  const most = Math.max(20, 2 * (typeof needed === 'number' ? needed : (n ?? 20)))
  return drawChart(
    'power',
    {
      curves: [
        {
          label: `a difference of ${effectText(answer, metric)(effect)}`,
          points: sizesTo(most, model).map(size => ({ n: size, power: powerAt(model, size, effect) })),
          needed: typeof needed === 'number' ? needed : null,
        },
      ],
      target: aim.power,
      ...(aim.alternative === 'two-sided' && { alpha: aim.alpha }),
      unit: answer.units,
    },
    { document: chartDocument() },
  )
}

type PowerModel = PowerPage['model']

function powerAt(model: PowerModel, n: number, effect: number): number | null {
  const power = model.powerAt(n, effect)
  return isAvailable(power) ? power : null
}

/** About twenty points make a smooth curve, and simulated ones take time. */
function sizesTo(most: number, { fewest, data }: PowerModel): readonly number[] {
  const from = Math.max(2, fewest)
  const steps = data === 'pilot' ? 15 : 60
  const step = Math.max(1, Math.floor((most - from) / steps))
  return Array.from({ length: Math.floor((most - from) / step) + 1 }, (_, at) => from + at * step)
}
