import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: { include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, isolate: false, pool: 'threads' },
})
