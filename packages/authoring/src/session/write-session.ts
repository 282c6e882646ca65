/** Serializes a session as `session.yaml`. */
import { writeYaml } from '@joust/source'
import type { Session } from './session.ts'

/** The beginning of every session file. */
export const SESSION_MARK = 'joust_session: '

/** The text of a session. It is redacted, because builders accept only redacted entries. */
export function writeSession(session: Session): string {
  return writeYaml(session)
}
