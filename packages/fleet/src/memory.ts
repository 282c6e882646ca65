/** Agent memory in a database, shared by many processes and machines. */
import type { Value } from '@joust/source'
import type { ClientBase } from 'pg'
import { openDatabase } from './database.ts'
import { fleetLimits } from './limits.ts'

interface Turn {
  readonly agent: string
  readonly input: Value
  readonly output: Value
}

/** A memory provider for the agent runtime. */
export interface DatabaseMemory {
  recall(scope: string): Promise<readonly Turn[]>
  remember(scope: string, turn: Turn): Promise<void>
  close(): Promise<void>
}

/** Advisory lock for creating the table: the letters `memory`. */
const LOCK = 0x6d656d6f7279

/** Turns are text, because jsonb would reorder the keys of an input. */
const TABLE = `
create schema if not exists joust_memory;
create table if not exists joust_memory.turn (
  id bigint generated always as identity primary key,
  scope text not null,
  turn text not null
);
create index if not exists turn_scope on joust_memory.turn (scope, id);
`

/** Connects and creates the table. Keeps the last `most` turns of each scope. Rejects with a `FleetError`. */
export async function openDatabaseMemory(url: string, most: number = fleetLimits.memoryTurns): Promise<DatabaseMemory> {
  const database = await openDatabase(url, { retryMs: fleetLimits.memoryMs }, createTable)
  const { query } = database.bounded()
  return {
    async recall(scope) {
      const { rows } = await query<{ turn: string }>(
        'select turn from joust_memory.turn where scope = $1 order by id desc limit $2',
        [scope, most],
      )
      // Written by `remember`.
      return rows.toReversed().map(({ turn }) => JSON.parse(turn) as Turn)
    },
    async remember(scope, turn) {
      await query('insert into joust_memory.turn (scope, turn) values ($1, $2)', [scope, JSON.stringify(turn)])
      await query(
        `delete from joust_memory.turn where scope = $1 and id <= (
          select id from joust_memory.turn where scope = $1 order by id desc offset $2 limit 1)`,
        [scope, most],
      )
    },
    close: () => database.close(),
  }
}

async function createTable(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  await client.query(TABLE)
}
