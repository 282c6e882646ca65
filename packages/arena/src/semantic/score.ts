/** The answer of a judge, read strictly: anything but a score is an error, never a score. */
import { cut, err, ok, type Result } from '@joust/source'
import { bounds } from '../model/limits.ts'

/** As text, not as JSON: that would take the last of two scores, and hide that there were two. */
const ANSWER = /^\s*\{\s*"score"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*\}\s*$/

/** `{"score": S}` and nothing else, white space aside. */
export function readScore(text: string): Result<number, string> {
  const [, number] = (text.length <= bounds.judgeScoreText && ANSWER.exec(text)) || []
  if (number === undefined) return err(`the judge answered ${shown(text)}, not {"score": number}`)
  const score = Number(number)
  return score >= 0 && score <= 1 ? ok(score) : err(`the judge gave the score ${number}, which is not between 0 and 1`)
}

function shown(text: string): string {
  return JSON.stringify(cut(text, 120))
}
