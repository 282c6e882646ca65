import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** What waits, starts other programs or tries thousands of inputs; `npm run test:fast` leaves it to `npm test`. */
const slow = [
  '**/*.browser.test.ts',
  '**/properties.test.ts',
  '**/end-to-end.test.ts',
  '**/hostile*.test.ts',
  '**/faults.test.ts',
  'packages/fleet/test/{contract,database-faults,ledger,libraries,live,preflight,results,tls}.test.ts',
  'packages/studio/test/**',
  'packages/arena/test/{library-outcomes,wild}.test.ts',
  'packages/arena/test/self-play/**',
  'packages/arena/test/drivers/{busy,never-arrived}.test.ts',
  'packages/arena/test/drivers/*/peers.test.ts',
  'packages/arena/test/transport/child-process.test.ts',
  'packages/results/test/trace/{lines,thoughtjack}.test.ts',
  'packages/targets/test/**',
  'packages/trials/test/suite.test.ts',
  'packages/adaptive/test/{adaptive,harden,search}/**',
  'packages/cli/test/{fleet,language-server,security}/**',
  'packages/cli/test/commands/{campaign,demo,fmt-large,harden,init,search}.test.ts',
  'packages/cli/test/commands/agent/run-journal.test.ts',
  'packages/cli/test/conformance/run.test.ts',
  'packages/cli/test/studio/campaigns.test.ts',
  'packages/cli/test/options/tables.test.ts',
  'packages/cli/test/project/run.test.ts',
  'packages/cli/test/run/**',
  'packages/language/test/every-place.test.ts',
  'packages/oatf/test/adapters/{cel,json-path}-limits.test.ts',
  'packages/oatf/test/{mutate,schema}.test.ts',
  'packages/runtime/test/connectors/**',
  'packages/runtime/test/journal/**',
]

export default defineConfig({
  resolve: { conditions: ['joust-source'] },
  ssr: { resolve: { conditions: ['joust-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.JOUST_TESTS === 'fast' ? slow : [])],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    // Many tests wait for processes and timers, so there is room for a worker on each core.
    maxWorkers: Math.max(2, availableParallelism()),
    isolate: false,
    // Modules that have not changed since the last run are not compiled again.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/joust/modules' },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      // Code that runs only in the browser is tested there.
      exclude: ['packages/studio/src/client/**', 'packages/report/src/html/client-script.ts'],
      reporter: ['json-summary'],
      reportsDirectory: 'node_modules/.cache/joust/coverage',
    },
    // Processes, since threads cannot have V8 flags of their own. As in a browser with a strict content security policy,
    // `eval` and `new Function` throw.
    pool: 'forks',
    execArgv: ['--disallow-code-generation-from-strings'],
  },
})
