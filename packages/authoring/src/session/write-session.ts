/** Serializes a session as `session.yaml`. */
import type { Redacted } from '@joust/results'
import { writeYaml } from '@joust/source'
import type { Session } from './session.ts'

/** The beginning of every session file. */
export const SESSION_MARK = 'joust_session: '

/** The text of a session. Only redacted sessions are written. */
export function writeSession(session: Redacted<Session>): string {
  return writeYaml(session)
}
