import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each test starts processes of its own.
    fileParallelism: false,
    // Where tests may run side by side, two cores should cope with three.
    maxConcurrency: 3,
    pool: 'forks',
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/joust/test-results.json' },
  },
})
