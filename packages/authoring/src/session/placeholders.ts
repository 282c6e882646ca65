/** Replaces secrets in a session by placeholders. */
import { knownShapes } from '@joust/results'
import { hideSpellings, mapScalars, type Value } from '@joust/source'
import type { Session } from './session.ts'

/** Hides secrets: values by name become `${NAME}`, values with the format of a secret are redacted. */
export interface SecretHider {
  session(session: Session): Session
  text(text: string): string
}

/** Creates a hider for the secrets of a configuration, by name. */
export function createSecretHider(secrets: Readonly<Record<string, string>>): SecretHider {
  const shapes = knownShapes()
  const text = (whole: string): string => {
    const named = Object.entries(secrets).reduce((rest, [name, value]) => hideSpellings([value], rest, `\${${name}}`), whole)
    return shapes.text(named)
  }
  return {
    text,
    session(session) {
      // A session is a plain value, and so is its copy.
      return mapScalars(session as unknown as Value, (scalar) => (typeof scalar === 'string' ? text(scalar) : scalar)) as unknown as Session
    },
  }
}
