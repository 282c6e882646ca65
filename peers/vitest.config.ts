import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each test starts its own processes.
    fileParallelism: false,
    // Three concurrent tests are enough for two cores.
    maxConcurrency: 3,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/joust/test-results.json' },
  },
})
