import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Threads without isolation: the suite starts in under a second on two cores. Tests must not leave global state behind.
// As many threads as cores: by itself vitest leaves one core free, which on two cores is half of them.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Whoever waits for something waits as long as the test may take: machines are slow at times.
    expect: { poll: { timeout: 100_000 } },
  },
})
