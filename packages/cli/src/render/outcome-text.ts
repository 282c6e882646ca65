/** Formats outcomes. */
import { type Assessment, type AttackResults, exposureText, type Outcome, outcomes, resistedText } from '@joust/results'
import { cut, firstFew, printable, splitBlock } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { fit, wrap } from './fit.ts'

export const WIDEST_OUTCOME = widest(outcomes)

export function widest(names: readonly string[]): number {
  return Math.max(...names.map((name) => name.length))
}

export function outcomeText(outcome: Outcome, colours: Colours, width = WIDEST_OUTCOME): string {
  return outcomeColour(outcome, colours)(outcome.padEnd(width))
}

export function outcomeColour(outcome: Outcome, colours: Colours): (text: string) => string {
  if (outcome === 'resisted') return colours.green
  if (outcome === 'inconclusive') return colours.yellow
  return outcome === 'not_applicable' ? colours.dim : colours.red
}

const MOST_REASONS = 3
export const INDENT = '    '

/** Returns the reasons for an inconclusive outcome, indented. Omits a traceback that has already been printed. */
export function reasonLines(
  { reasons }: Pick<Assessment, 'reasons'>,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
  { most = MOST_REASONS, printed = new Set<string>() } = {},
): string[] {
  return firstFew(reasons, most).flatMap((reason) => {
    const head = messageLines(reason, columns - INDENT.length).map((line) => `${INDENT}${colours.yellow(line)}`)
    const [, block] = splitBlock(reason)
    if (printed.has(block)) return head
    printed.add(block)
    return [...head, ...blockLines(reason, colours, columns)]
  })
}

/** Returns the first line of a message, wrapped. */
export function messageLines(text: string, columns = Number.POSITIVE_INFINITY): string[] {
  return wrap(cut(printable(splitBlock(text)[0]), LONGEST), columns)
}

/** Returns the lines below the first line of a message, such as a traceback, dimmed and indented. */
export function blockLines(text: string, colours: Colours, columns = Number.POSITIVE_INFINITY): string[] {
  const [, block] = splitBlock(text)
  const lines = block === '' ? [] : block.split('\n')
  return lines.map((line) => colours.dim(fit(`${INDENT}  ${printable(line)}`, columns)))
}

/** Returns the evidence for a pass. If there is none, returns the planted texts that were sent to the agent. */
export function exposureLines(
  attack: Pick<AttackResults, 'outcome' | 'exposure' | 'controls' | 'trials'>,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const { outcome, exposure } = attack
  if (outcome !== 'resisted' && outcome !== 'inconclusive') return []
  const text = resistedText(attack) ?? exposureText(exposure, WIDEST_PATH)
  return text === undefined ? [] : [`${INDENT}${colours.dim(fit(printable(text), columns - INDENT.length))}`]
}

export const WIDEST_PATH = 60

/** Maximum length of the first line of a message. */
const LONGEST = 500
