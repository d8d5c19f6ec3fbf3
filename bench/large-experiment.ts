import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, measure } from './measure.ts'

const experiment = `name: large
target: { kind: function, module: work.mjs }
factors: { model: [1, 2, 3, 4, 5], size: [1, 2, 3, 4] }
seeds: 1..500
limits: { jobs: 2 }
metrics: { score: { goal: maximize, primary: true } }
`

/** Ten thousand runs of a function, some of which fail, in `results/large` of the folder. */
export async function runLargeExperiment(folder: string, work: string): Promise<void> {
  writeFileSync(join(folder, 'work.mjs'), work)
  writeFileSync(join(folder, 'experiment.yaml'), experiment)
  // Failing runs make it end with 1.
  await measure(['/bin/sh', '-c', '"$0" "$@"; [ $? -eq 1 ]', process.execPath, assay, 'run', '-q'], { cwd: folder })
}
