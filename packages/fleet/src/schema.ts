import type { ClientBase } from 'pg'
import { FleetError } from './errors.ts'

/** Version of the tables. A database with another version is left unchanged. */
const SCHEMA_VERSION = 7

/** Advisory lock for creating tables: the letters `joust`. */
const LOCK = 0x6a6f757374

const TABLES = `
create schema joust;
create table joust.version (version integer not null);
create table joust.campaign (
  name text primary key,
  created timestamptz not null default clock_timestamp(),
  plan jsonb not null,
  state text not null default 'open',
  tokens bigint not null default 0,
  calls bigint not null default 0
);
create table joust.target (
  campaign text not null references joust.campaign on delete cascade,
  name text not null,
  fingerprint text not null,
  data jsonb not null,
  preflight jsonb,
  preflight_token text,
  preflight_lease timestamptz,
  preflight_tries integer not null default 0,
  primary key (campaign, name)
);
create table joust.refusal (
  campaign text not null,
  target text not null,
  worker text not null,
  reason text not null,
  told timestamptz not null default clock_timestamp(),
  primary key (campaign, target, worker),
  foreign key (campaign, target) references joust.target on delete cascade
);
create table joust.attack (
  campaign text not null references joust.campaign on delete cascade,
  file text not null,
  fingerprint text not null,
  text text not null,
  severity text,
  primary key (campaign, file, fingerprint)
);
create table joust.planned (
  campaign text not null references joust.campaign on delete cascade,
  target text not null,
  file text not null,
  fingerprint text not null,
  primary key (campaign, target, file, fingerprint)
);
create table joust.run (
  campaign text not null references joust.campaign on delete cascade,
  target text not null,
  file text not null,
  arm text not null,
  trial integer not null,
  fingerprint text not null,
  outcome text,
  lease timestamptz,
  finished timestamptz,
  worker text,
  watched timestamptz,
  attempt text,
  retries integer not null default 0,
  late integer not null default 0,
  result jsonb,
  result_outcome text generated always as (result ->> 'outcome') stored,
  trace bytea,
  primary key (campaign, target, file, arm, trial, fingerprint)
);
alter table joust.run alter column trace set storage external;
create unlogged table joust.live (
  campaign text not null references joust.campaign on delete cascade,
  target text not null,
  file text not null,
  arm text not null,
  trial integer not null,
  fingerprint text not null,
  attempt text not null,
  part integer not null,
  lines text not null,
  primary key (campaign, target, file, arm, trial, fingerprint, attempt, part)
);
create index run_outcome on joust.run (campaign, outcome, result_outcome);
create index run_open on joust.run (campaign, target) where outcome is null;
create index run_watched on joust.run (worker) where outcome is null and watched is not null;
insert into joust.version values (${SCHEMA_VERSION});
`

/** Creates missing tables in a transaction. Safe to call from many processes concurrently. */
export async function ensureTables(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  const { rows } = await client.query<{ name: string | null }>(`select to_regclass('joust.version')::text as name`)
  if (rows[0]?.name == null) await client.query(TABLES)
  else await checkVersion(client)
}

async function checkVersion(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>('select version from joust.version')
  const version = rows[0]?.version
  if (version === SCHEMA_VERSION) return
  const versions = `expected version ${SCHEMA_VERSION} of the joust tables, got ${version ?? 'none'}`
  const message = `${versions}: use the version of joust that created them, or another database`
  throw new FleetError('schema_version', message)
}
