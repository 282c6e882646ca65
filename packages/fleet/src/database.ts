/** A database connection that creates missing tables and retries queries after transient errors. */
import { isLoopback, pause, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'
import { connectionAdvice, FleetError, isReadOnly, isTransient, outageAdvice } from './errors.ts'
import { loadPg } from './libraries.ts'
import { fleetLimits } from './limits.ts'
import { ensureTables } from './schema.ts'

export interface Database {
  readonly url: string
  readonly pool: Pool
  /** Runs `work` and retries it after transient errors, indefinitely unless the database is `bounded`. */
  retry<T>(work: (pool: Pool) => Promise<T>): Promise<T>
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>
  /** Reports an error. An outage is reported only once. */
  reportFault(thrown: unknown): void
  /** True for a while after an outage: workers first record the runs that they finished during the outage. */
  isSettling(): boolean
  /** Returns this database for interactive changes: retries end after `retryMs` with a `FleetError`. */
  bounded(): Database
  close(): Promise<void>
}

/** Options for {@link openFleet}. */
export interface DatabaseOptions {
  /** Called with messages about transient errors. @default none */
  readonly tell?: (message: string) => void
  /** Timeout in milliseconds for an interactive change, such as a submission. @default 60_000 */
  readonly retryMs?: number
}

/** Connects and creates the given tables, by default the tables for campaigns. Rejects with a `FleetError`. */
export async function openDatabase(
  connectionString: string,
  options: DatabaseOptions = {},
  tables: (client: PoolClient) => Promise<void> = ensureTables,
): Promise<Database> {
  const { tell = () => {}, retryMs = fleetLimits.retryMs } = options
  const pg = await loadPg()
  const url = verifiedUrl(connectionString)
  const pool = new pg.Pool({
    connectionString: url,
    max: fleetLimits.connections,
    connectionTimeoutMillis: fleetLimits.connectMs,
    application_name: 'joust',
  })
  let down: 'unreachable' | 'read-only' | undefined
  let lastFault = Number.NEGATIVE_INFINITY
  const reportFault = (thrown: unknown) => {
    if (!isTransient(thrown)) return tell(messageOf(thrown))
    if (down === undefined) tell(`${outageAdvice(thrown)} (${messageOf(thrown)})`)
    down = isReadOnly(thrown) ? 'read-only' : 'unreachable'
    lastFault = performance.now()
  }
  const reportAnswer = async () => {
    // A read-only database still answers queries.
    if (down === undefined || (down === 'read-only' && !(await isWritable(pool)))) return
    if (down !== undefined) tell('the database is available again')
    down = undefined
  }
  const retryWithin =
    (longestMs: number) =>
    async <T>(work: (pool: Pool) => Promise<T>): Promise<T> => {
      const start = performance.now()
      for (let wait: number = fleetLimits.firstWaitMs; ; wait = Math.min(2 * wait, fleetLimits.longestWaitMs)) {
        try {
          const result = await work(pool)
          await reportAnswer()
          return result
        } catch (thrown) {
          if (!isTransient(thrown)) throw thrown
          if (performance.now() - start >= longestMs) throw gaveUp(url, longestMs, thrown)
          reportFault(thrown)
          await pause(systemClock, Math.min(wait, longestMs))
        }
      }
    }
  // The pool replaces a lost idle connection when it needs the next one.
  pool.on('error', () => {})
  try {
    await inTransaction(pool, tables)
  } catch (thrown) {
    await pool.end()
    if (thrown instanceof FleetError) throw thrown
    const message = `cannot use ${databaseLabel(url)}: ${connectionAdvice(thrown)}`
    throw new FleetError('database_failed', message, { cause: thrown })
  }
  const isSettling = () => performance.now() - lastFault < fleetLimits.longestWaitMs
  const close = () => pool.end()
  const within = (longestMs: number): Database => {
    const retry = retryWithin(longestMs)
    const query: Database['query'] = (text, values = []) => retry(() => pool.query(text, [...values]))
    return { url, pool, retry, query, reportFault, isSettling, bounded: () => within(retryMs), close }
  }
  return within(Number.POSITIVE_INFINITY)
}

function gaveUp(url: string, longestMs: number, cause: unknown): FleetError {
  const reason = isReadOnly(cause) ? 'is read-only' : `did not respond (${messageOf(cause)})`
  const message = `${databaseLabel(url)} ${reason}: gave up after ${longestMs / 1000} s, try again later`
  return new FleetError('database_failed', message, { cause })
}

async function isWritable(pool: Pool): Promise<boolean> {
  const setting = pool.query<{ mode: string }>(`select current_setting('transaction_read_only') as mode`)
  return setting.then(
    ({ rows }) => rows[0]?.mode === 'off',
    () => false,
  )
}

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (thrown) {
    await client.query('rollback').catch(() => {})
    throw thrown
  } finally {
    client.release()
  }
}

/** Describes a database by its host and name, without credentials. */
export function databaseLabel(url: string): string {
  if (!URL.canParse(url)) return 'the database'
  const { host, pathname } = new URL(url)
  return `the database ${host}${pathname}`
}

/** True if the connection is not encrypted and leaves this machine. */
export function isUnencrypted(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, searchParams } = new URL(url)
  const local = hostname === '' || isLoopback(hostname)
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable')
  return !local && !searchParams.has('host') && mode === 'disable'
}

/** Replaces every TLS mode other than `disable` and `no-verify` with `verify-full`. */
function verifiedUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  if (mode === null || ['disable', 'no-verify', 'verify-full'].includes(mode)) return text
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** Serializes a value for `jsonb`, which rejects NUL and lone surrogates; the trace keeps the original text. */
export function jsonbText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    (_, before: string) => `${before}\\ufffd`,
  )
}
