import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Processes without isolation: the suite starts in under a second on two cores, and tests can call the tool in-process,
// which needs a working directory of its own. Tests must not leave global state behind.
// Two processes for each core: while one test waits for something, another uses its core.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    // The bundle is called as it is shipped.
    server: { deps: { external: [/\/dist\//] } },
    maxWorkers: 2 * availableParallelism(),
    // Only for tests that hang: a busy machine takes ten times as long as an idle one, and that is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { requireAssertions: true, poll: { timeout: 200_000 } },
  },
})
