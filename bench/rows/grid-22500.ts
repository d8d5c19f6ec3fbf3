import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountOf, countedGrid, restlessWorkers } from '../../tests/support/restless-workers.ts'
import { assay, inTemporaryFolder } from '../measure.ts'
import type { Bench } from '../row.ts'

const cells = 22_500

/**
 * Does a grid of 22,500 cells run 22,500 times, with four workers killed and restarted at random? The runs
 * log their own starts and ends; the journal must account for each of these lines. (wandb/wandb#8549:
 * 124,070 runs of such a grid.)
 */
export const gridBench: Bench = {
  name: 'grid-22500',
  run: () =>
    inTemporaryFolder(async cwd => {
      for (const [name, text] of Object.entries(countedGrid(150, 150, 0))) writeFileSync(join(cwd, name), text)
      const made = execFileSync(process.execPath, [assay, 'sweep', 'grid.yaml', '--json'], { cwd, encoding: 'utf8' })
      const { id, dir } = JSON.parse(made) as { id: string; dir: string }
      const started = performance.now()
      const { killed } = await restlessWorkers(cwd, id, { kills: 60, lifeMs: [400, 2500], seed: 8549 })
      const seconds = (performance.now() - started) / 1000
      const { completed, wrong, lost, begun, over, unaccounted } = accountOf(cwd, dir)
      const number = (value: number) => value.toLocaleString('en')
      return [
        {
          work: 'a grid of 22,500 cells, 4 workers killed and restarted at random',
          result: `${number(completed)} completed in ${seconds.toFixed(0)} s; ${killed} workers killed, ${number(lost)} attempts cut off; executions: ${number(begun)} begun, ${number(over)} over`,
          mustReach: 'each cell completed once; every execution is an attempt of the journal',
          isReached: completed === cells && wrong === 0 && unaccounted === 0 && begun <= cells + lost,
        },
      ]
    }),
}
