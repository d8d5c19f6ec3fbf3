import { runLargeExperiment } from '../large-experiment.ts'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

/** 5 × 4 variants on 500 seeds, with 20 metrics each; one run in ten fails, and some lack a metric. */
const work = `export default ({ model, size }, { seed, random, report }) => {
  report('cost_usd', 0.01 * model + 0.001 * random())
  if (seed % 10 === model) throw new RangeError('too large')
  const metrics = { score: random() + 0.05 * model - 0.02 * size }
  for (let at = 1; at < 20; at++) metrics['m' + at] = random() * at
  if (seed % 17 === 0) delete metrics.m3
  return metrics
}
`

/** The whole analysis, from the journal to the report. */
export const analysisBench: Bench = {
  name: 'analysis',
  run: () =>
    inTemporaryFolder(async folder => {
      await runLargeExperiment(folder, work)
      const analyze = [process.execPath, assay, 'analyze', 'results/large', '--report', '--success', 'score > 0.5']
      const { seconds } = await alternate(3, {
        seconds: async () => (await measure(analyze, { cwd: folder })).seconds,
      })
      return [
        {
          work: '`analyze` of 10,000 runs × 20 metrics',
          result: `${seconds.toFixed(2)} s`,
          mustReach: '< 3 s',
          isReached: seconds < 3,
        },
      ]
    }),
}
