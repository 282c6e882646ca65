import { writeYaml } from '@joust/source'
import type { Session } from './session.ts'

/** The beginning of every session file. */
export const SESSION_MARK = 'joust_session: '

/** Serializes a session as `session.yaml`. The text is redacted, because sessions are built from redacted entries. */
export function writeSession(session: Session): string {
  return writeYaml(session)
}
