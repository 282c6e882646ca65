/** What may go wrong with a campaign: a database that is not there, of another version, full, or without its driver. */
import { messageOf } from '@joust/source'

/** Every way in which a campaign can fail. */
export type FleetErrorCode =
  | 'library_missing'
  | 'database_failed'
  | 'database_unlike'
  | 'campaign_unlike'
  | 'folder_failed'

/** A failure of the outside world, as a sentence with what to do. */
export class FleetError extends Error {
  override readonly name = 'FleetError'
  readonly code: FleetErrorCode

  constructor(code: FleetErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

/** The code of an error of PostgreSQL or of the system. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0])
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Classes of errors after which the same statement may succeed: connections, resources, operators, conflicts, failover. */
const PASSING = /^(?:08|25006|53|57P|40001|40P01|58|ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/

/** Whether it is worth waiting and trying again. */
export function isPassing(thrown: unknown): boolean {
  if (PASSING.test(codeOf(thrown)) || isReadOnly(thrown)) return true
  return /connection terminated|connection ended|connection timeout|not queryable|timeout expired|timeout exceeded/i.test(
    messageOf(thrown),
  )
}

/** True for a statement that would write to a database that only reads, as one does during a failover. */
export function isReadOnly(thrown: unknown): boolean {
  return codeOf(thrown) === '25006' || /in a read-only transaction/i.test(messageOf(thrown))
}

/** What to do about it. */
export function adviceFor(thrown: unknown): string {
  const code = codeOf(thrown)
  if (code === '53100')
    return 'the disk of the database is full: free some space there; nothing is lost, and this continues by itself'
  if (code === '53300') return 'the database takes no more connections: raise max_connections, or start fewer workers'
  if (isReadOnly(thrown))
    return 'the database is read-only, perhaps during a failover; nothing is lost, and this continues by itself'
  return 'the database does not answer; this continues by itself when it does'
}

/** What OpenSSL says about a certificate whose signer is not known here. */
const UNKNOWN_SIGNER = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:SIGNATURE_FAILURE|UNTRUSTED)/

/** Why a database cannot be connected to, with what to do. */
export function whyUnused(thrown: unknown): string {
  const code = codeOf(thrown)
  const message = messageOf(thrown)
  if (message.includes('does not support SSL'))
    return 'it does not speak TLS, which the URL asks for: set ssl = on there, or sslmode=disable here'
  if (UNKNOWN_SIGNER.test(code))
    return `its certificate is not from an authority that is trusted here (${message}): name the right one with sslrootcert=FILE in the URL`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another name (${message}): use the name that it is for in the URL`
  const advice = ADVICE[code]
  return advice === undefined ? message : `${message}: ${advice}`
}

/** What to do about other reasons, by their code. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL, or correct the host and port in the URL',
  ENOTFOUND: 'there is no such host; correct the URL',
  ETIMEDOUT: 'nothing answers there; correct the host and port in the URL, or let the connection through',
  '28P01': 'give the right password in PGPASSWORD or ~/.pgpass',
  '28000': 'correct the user in the URL, or let it in (pg_hba.conf)',
  '3D000': 'create the database (createdb), or correct the URL',
  '25006': 'its tables are missing and it is read-only; try again when it can be written to',
  '42501': 'let this user create schemas there (grant create on database)',
  '53300': 'raise max_connections there, or start fewer workers',
}
