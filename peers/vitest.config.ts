import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, fileParallelism: false, pool: 'forks' },
})
