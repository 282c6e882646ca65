import { createRedactor } from '@joust/results'
import { invariant, type Value } from '@joust/source'
import type { Session } from './session.ts'

/** A hider of secrets in sessions. Known values become `${NAME}`, other values with a secret's format are redacted. */
export interface SecretHider {
  session(session: Session): Session
  text(text: string): string
}

/** Creates a hider for the given secrets, whose keys are the placeholder names. */
export function createSecretHider(named: Readonly<Record<string, string>>): SecretHider {
  const redactor = createRedactor({ named })
  invariant(redactor.ok, 'a redactor without patterns is always valid')
  const { value: redact } = redactor
  return {
    text: (text) => redact.text(text),
    // A session is a plain value, and so is its copy.
    session: (session) => redact.value(session as unknown as Value) as unknown as Session,
  }
}
