/** A database of campaigns: connected, with its tables; queries are retried when it does not answer. */
import { isLoopback, pause, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'
import { adviceFor, FleetError, isPassing, isReadOnly, whyUnused } from './errors.ts'
import { loadPg } from './libraries.ts'
import { fleetLimits } from './limits.ts'
import { ensureTables } from './schema.ts'

/** A database. */
export interface Database {
  readonly url: string
  readonly pool: Pool
  /** Does some work; what fails for a passing reason is retried. */
  retry<T>(work: (pool: Pool) => Promise<T>): Promise<T>
  /** Queries the database, as often as it takes. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>
  /** Reports a fault; that the database does not answer is reported only once until it does again. */
  reportFault(thrown: unknown): void
  /** True for a moment after a fault that has passed: first, what was finished meanwhile is entered. */
  isSettling(): boolean
  close(): Promise<void>
}

/** What a database is opened with. */
export interface DatabaseOptions {
  /** Called, in sentences, with what goes wrong for a while. */
  readonly tell?: (message: string) => void
}

/** Connects and makes the tables; throws a `FleetError` when that cannot be done. */
export async function openDatabase(given: string, { tell = () => {} }: DatabaseOptions = {}): Promise<Database> {
  const pg = await loadPg()
  const url = verifiedUrl(given)
  const pool = new pg.Pool({
    connectionString: url,
    max: fleetLimits.connections,
    connectionTimeoutMillis: fleetLimits.connectMs,
    application_name: 'joust',
  })
  let down: 'unreachable' | 'read-only' | undefined
  let lastFault = Number.NEGATIVE_INFINITY
  const reportFault = (thrown: unknown) => {
    if (!isPassing(thrown)) return tell(messageOf(thrown))
    if (down === undefined) tell(`${adviceFor(thrown)} (${messageOf(thrown)})`)
    down = isReadOnly(thrown) ? 'read-only' : 'unreachable'
    lastFault = performance.now()
  }
  const reportAnswer = async () => {
    // A database that only reads answers questions all the time.
    if (down === undefined || (down === 'read-only' && !(await isWritable(pool)))) return
    if (down !== undefined) tell('the database answers again')
    down = undefined
  }
  const retry = async <T>(work: (pool: Pool) => Promise<T>): Promise<T> => {
    for (let wait: number = fleetLimits.firstWaitMs; ; wait = Math.min(2 * wait, fleetLimits.longestWaitMs)) {
      try {
        const done = await work(pool)
        await reportAnswer()
        return done
      } catch (thrown) {
        if (!isPassing(thrown)) throw thrown
        reportFault(thrown)
        await pause(systemClock, wait)
      }
    }
  }
  // A connection that is lost while nobody uses it is replaced when the next one is needed.
  pool.on('error', () => {})
  try {
    await inTransaction(pool, ensureTables)
  } catch (thrown) {
    await pool.end()
    if (thrown instanceof FleetError) throw thrown
    throw new FleetError('database_failed', `${placeOf(url)} cannot be used: ${whyUnused(thrown)}`, { cause: thrown })
  }
  const query: Database['query'] = (text, values = []) => retry(() => pool.query(text, [...values]))
  const isSettling = () => performance.now() - lastFault < fleetLimits.longestWaitMs
  return { url, pool, retry, query, reportFault, isSettling, close: () => pool.end() }
}

async function isWritable(pool: Pool): Promise<boolean> {
  const setting = pool.query<{ mode: string }>(`select current_setting('transaction_read_only') as mode`)
  return setting.then(
    ({ rows }) => rows[0]?.mode === 'off',
    () => false,
  )
}

/** Does some work in one transaction. */
export async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (thrown) {
    await client.query('rollback').catch(() => {})
    throw thrown
  } finally {
    client.release()
  }
}

/** Where a database is, without user and password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the database'
  const { host, pathname } = new URL(url)
  return `the database ${host}${pathname}`
}

/** Whether messages to a database go over a network unencrypted. */
export function isInTheClear(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, searchParams } = new URL(url)
  const local = hostname === '' || isLoopback(hostname)
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable')
  return !local && !searchParams.has('host') && mode === 'disable'
}

/** Whoever asks for TLS in any form gets a verified server, unless the URL says `disable` or `no-verify`. */
function verifiedUrl(given: string): string {
  if (!URL.canParse(given)) return given
  const url = new URL(given)
  const mode = url.searchParams.get('sslmode')
  if (mode === null || ['disable', 'no-verify', 'verify-full'].includes(mode)) return given
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** JSON that `jsonb` accepts: it knows neither NUL nor lone surrogates. The trace keeps what was really sent. */
export function jsonbText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    (_, before: string) => `${before}\\ufffd`,
  )
}
