/** Serializes a session as `session.yaml`. */
import { writeYaml } from '@joust/source'
import type { Session } from './session.ts'

/** The beginning of every session file. */
export const SESSION_MARK = 'joust_session: '

/** The text of a session. Builders take redacted entries only, so its parts are redacted. */
export function writeSession(session: Session): string {
  return writeYaml(session)
}
