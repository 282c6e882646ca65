/**
 * Answers that consist only of an error of the agent's model, or of the connection to it, by their form: a status, an
 * error class, a stack trace, an error page, JSON. They matter where the model cannot be observed. Errors in words, in
 * any language, are recognized by what they lack (`related-answer.ts`) and by the postflight.
 */
import { beginning } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { bare, isErrorForm } from './error-form.ts'
import { hasWords } from './final-answer.ts'
import { failureInJson } from './json-failure.ts'

/** The error message in an answer; undefined for a regular answer, and for an empty one. */
export function errorAnswer(answer: string): string | undefined {
  if (answer.length > arenaLimits.errorText || answer.trim() === '') return undefined
  if (!hasWords(answer)) return `${JSON.stringify(answer.trim())}, without letters or digits`
  const text = bare(answer)
  return failureInJson(answer) || isErrorForm(text) ? beginning(text, arenaLimits.peerText) : undefined
}
