/** Answers that are only an error, in text or JSON. They matter where the model cannot be observed. */
import { beginning } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { bare, isErrorText } from './error-text.ts'
import { hasWords } from './final-answer.ts'
import { failureInJson } from './json-failure.ts'

/** The error message in an answer; undefined for a regular answer, and for an empty one. */
export function errorAnswer(answer: string): string | undefined {
  if (answer.length > arenaLimits.errorText || answer.trim() === '') return undefined
  if (!hasWords(answer)) return `${JSON.stringify(answer.trim())}, without letters or digits`
  return failureInJson(answer) || isErrorText(answer) ? beginning(bare(answer), arenaLimits.peerText) : undefined
}
