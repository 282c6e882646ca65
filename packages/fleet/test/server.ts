/** The PostgreSQL server of a test file. Without an installation the tests are skipped with a warning. */
import { afterAll, beforeAll, describe } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../../../scripts/postgres.ts'

const programs = findPostgres()

/** Tests that need a server; `server()` returns it while they run. */
export function withPostgres(name: string, tests: (server: () => Postgres) => void): void {
  if (programs === undefined) {
    console.warn(
      `SKIPPED: ${name}: PostgreSQL is not installed (apt-get install postgresql), so campaigns are NOT tested`,
    )
    describe.skip(name, () => tests(() => fail()))
    return
  }
  describe(name, () => {
    let server: Postgres | undefined
    beforeAll(async () => {
      server = await startPostgres(programs)
    }, 60_000)
    afterAll(() => server?.remove(), 60_000)
    tests(() => server ?? fail())
  })
}

function fail(): never {
  throw new Error('the server is not running')
}
