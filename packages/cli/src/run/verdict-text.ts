/** Verdicts as short texts. */
import type { AttackVerdict } from '@joust/oatf'
import { messageWithHint, printable } from '@joust/source'
import type { Colours } from '../render/colours.ts'

/** The result of a verdict, coloured, with a fixed width. */
export function verdictText({ result }: Pick<AttackVerdict, 'result'>, colours: Colours): string {
  const text = result.padEnd('not_exploited'.length)
  if (result === 'not_exploited') return colours.green(text)
  return result === 'error' ? colours.yellow(text) : colours.red(text)
}

/** Why nothing can be said, where a verdict tells. */
export function reasonOf({ diagnostics = [], indicator_verdicts }: AttackVerdict): string | undefined {
  const told = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]
  if (told !== undefined) return messageWithHint(told)
  return indicator_verdicts.find(({ evidence }) => evidence !== undefined)?.evidence
}

const HEAD = 90
const TAIL = 140

/** A long reason by its beginning and its end: what a program printed last says most. */
export function excerpt(text: string): string {
  const line = printable(text)
  return line.length <= HEAD + TAIL ? line : `${line.slice(0, HEAD)} … ${line.slice(-TAIL)}`
}
