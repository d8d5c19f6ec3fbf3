import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest: tests that wait for processes and browsers more than they compute. */
const slow =
  /tests\/(execute\/(queue|slurm\/cluster)|faults\/(kill|locked|model)|docs\/docs|web\/|examples\/|process\/sandbox\/contract|serve\/routes)/

/** A slow file that begins last leaves one core with nothing to do; without times of earlier runs vitest would go by size. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))]
  }
}

// Processes without isolation: the suite starts in under a second on two cores, and tests can call the tool in-process,
// which needs a working directory of its own. Tests must not leave global state behind.
// Two processes for each core: while one test waits for something, another uses its core.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // The bundle is called as it is shipped.
    server: { deps: { external: [/\/dist\//] } },
    maxWorkers: 2 * availableParallelism(),
    // Only for tests that hang: a busy machine takes ten times as long as an idle one, and that is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { requireAssertions: true, poll: { timeout: 200_000 } },
  },
})
