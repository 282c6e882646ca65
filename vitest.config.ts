import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    // Much of it waits for processes and timers, so two cores have room for two.
    maxWorkers: 2,
    isolate: false,
    // Processes, since threads cannot have V8 flags of their own. As in a browser with a strict content security policy,
    // `eval` and `new Function` throw.
    pool: 'forks',
    execArgv: ['--disallow-code-generation-from-strings'],
  },
})
