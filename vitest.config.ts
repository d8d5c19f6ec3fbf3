import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest: tests that wait for processes and browsers more than they compute. */
const slow =
  /tests\/(execute\/(queue|ssh|launchers|slurm)|faults\/(chaos|kill|locked|model|hung|places|stubborn|crash)|docs\/docs|web\/|examples\/|process\/sandbox\/contract|serve\/routes|engine\/(workers|watchdog|stopping)|targets\/agent\/loop\/long|compare\/p-bound)/

/**
 * A slow file that begins last leaves one core with nothing to do; without times of earlier runs vitest would go by size.
 * Others are among them, to have something to compute while those wait.
 */
class SlowEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    const others = sorted.filter(file => !isSlow(file))
    return [...sorted.filter(isSlow).flatMap(file => [file, ...others.splice(0, 2)]), ...others]
  }
}

/** A process that has loaded all of the sources, and started programs of its own: 2 GB at the very most. */
const memoryOfOne = 2 * 2 ** 30

// Processes without isolation: the suite starts in under a second on two cores, and tests can call the tool in-process,
// which needs a working directory of its own. Tests must not leave global state behind.
// Three processes for each core: while one test waits for something, others use its core.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    sequence: { sequencer: SlowEarly },
    // The bundle is called as it is shipped.
    server: { deps: { external: [/\/dist\//] } },
    maxWorkers: Math.max(2, Math.min(3 * availableParallelism(), Math.floor(totalmem() / memoryOfOne))),
    // Only for tests that hang: a busy machine takes ten times as long as an idle one, and that is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { requireAssertions: true, poll: { timeout: 200_000 } },
  },
})
