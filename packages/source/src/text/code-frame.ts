import type { Positioned } from '../model/diagnostic.ts'
import { Lines } from './lines.ts'
import { printable } from './printable.ts'

const WIDEST = 160
const LEAD = 20

type At = Positioned & { readonly end_column?: number }

/**
 * Returns a function that draws the lines around a position, with carets below it. The frame is empty if no line is
 * set.
 *
 * @example
 * const frame = codeFrames(text)({ line: 3, column: 5 })
 */
export function codeFrames(text: string): (at: At, context?: number) => string {
  let lines: Lines | undefined
  return (at, context = 1) => {
    if (at.line === undefined) return ''
    lines ??= new Lines(text)
    return draw(lines, at, Math.min(Math.max(1, at.line), lines.count), context)
  }
}

function draw(lines: Lines, at: At, marked: number, context: number): string {
  const first = Math.max(1, marked - context)
  const last = Math.min(lines.count, marked + context)
  const gutter = String(last).length
  // A position after the end of the text is moved to the end.
  const column = (at.line ?? 1) > marked ? Number.POSITIVE_INFINITY : (at.column ?? 1)
  const width = lines.line(marked).length
  const start = Math.min(Math.max(0, column - 1), width)
  const shift = start > WIDEST - LEAD ? start - LEAD : 0
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const visible = visiblePart(lines.line(number), shift)
    frame.push(`${number === marked ? '>' : ' '} ${String(number).padStart(gutter)} | ${visible}`.trimEnd())
    if (number !== marked) continue
    const length = at.end_column === undefined ? 1 : Math.min(at.end_column - 1, width, shift + WIDEST) - start
    const indent = ' '.repeat(start - shift + (shift > 0 ? 1 : 0))
    frame.push(`  ${' '.repeat(gutter)} | ${indent}${'^'.repeat(Math.max(1, length))}`)
  }
  return frame.join('\n')
}

function visiblePart(line: string, shift: number): string {
  const part = printable(line.slice(shift, shift + WIDEST))
  return `${shift > 0 && line !== '' ? '…' : ''}${part}${line.length > shift + WIDEST ? '…' : ''}`
}
