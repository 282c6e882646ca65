/** Campaign errors, such as an unreachable or full database. */
import { messageOf } from '@joust/source'

export type FleetErrorCode =
  | 'library_missing'
  | 'database_failed'
  | 'schema_version'
  | 'campaign_conflict'
  | 'folder_failed'

/** A failure outside this program, with a message that says how to fix it. */
export class FleetError extends Error {
  override readonly name = 'FleetError'
  readonly code: FleetErrorCode

  constructor(code: FleetErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0])
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Codes of transient errors: connection, resource, operator intervention, conflict, failover. */
const TRANSIENT = /^(?:08|25006|53|57P|40001|40P01|58|ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const LOST = /connection terminated|connection ended|connection timeout|not queryable|timeout expired|timeout exceeded/i

/** True if the same statement may succeed later. */
export function isTransient(thrown: unknown): boolean {
  return TRANSIENT.test(codeOf(thrown)) || isReadOnly(thrown) || LOST.test(messageOf(thrown))
}

/** True for a write to a read-only database, for example during a failover. */
export function isReadOnly(thrown: unknown): boolean {
  return codeOf(thrown) === '25006' || /in a read-only transaction/i.test(messageOf(thrown))
}

export function outageAdvice(thrown: unknown): string {
  const code = codeOf(thrown)
  if (code === '53100') return 'the database disk is full: free some space; no results are lost, retrying'
  if (code === '53300') return 'too many connections to the database: raise max_connections or start fewer workers'
  if (isReadOnly(thrown))
    return 'the database is read-only, possibly because of a failover; no results are lost, retrying'
  return 'the database is not responding; retrying'
}

/** OpenSSL codes for an untrusted certificate. */
const UNKNOWN_SIGNER = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:SIGNATURE_FAILURE|UNTRUSTED)/

export function connectionAdvice(thrown: unknown): string {
  const code = codeOf(thrown)
  const message = messageOf(thrown)
  if (message.includes('does not support SSL'))
    return 'the server does not support TLS: set ssl = on there, or sslmode=disable in the URL'
  if (UNKNOWN_SIGNER.test(code)) return `untrusted certificate (${message}): add sslrootcert=FILE to the URL`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate is for a different host name (${message}): use that name in the URL`
  const advice = ADVICE[code]
  return advice === undefined ? message : `${message}: ${advice}`
}

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start PostgreSQL, or correct the host and port in the URL',
  ENOTFOUND: 'correct the host in the URL',
  ETIMEDOUT: 'correct the host and port in the URL, or allow the connection in the firewall',
  '28P01': 'set the password in PGPASSWORD or ~/.pgpass',
  '28000': 'correct the user in the URL, or allow it in pg_hba.conf',
  '3D000': 'create the database (createdb), or correct the URL',
  '25006': 'the database has no joust tables and it is read-only; try again when it is writable',
  '42501': 'allow this user to create schemas (grant create on database)',
  '53300': 'raise max_connections or start fewer workers',
}
