/**
 * Recognizes answers that consist only of an error from the agent's model, or from the connection to it, by their form:
 * a status, an error class, a stack trace, an error page, JSON. This matters where the model cannot be observed. Errors
 * written as sentences, in any language, are recognized by `related-answer.ts` and by the postflight.
 */
import { beginning } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { bare, isErrorForm } from './error-form.ts'
import { hasWords } from './final-answer.ts'
import { failureInJson } from './json-failure.ts'

/** Returns the error message in an answer. Returns undefined for a regular or empty answer. */
export function errorAnswer(answer: string): string | undefined {
  if (answer.length > arenaLimits.errorText || answer.trim() === '') return undefined
  if (!hasWords(answer)) return `${JSON.stringify(answer.trim())}, without letters or digits`
  const text = bare(answer)
  return failureInJson(answer) || isErrorForm(text) ? beginning(text, arenaLimits.peerText) : undefined
}
