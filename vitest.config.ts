import { defineConfig } from 'vitest/config'

// Threads without isolation: the suite starts in under a second on two cores. Tests must not leave global state behind.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
