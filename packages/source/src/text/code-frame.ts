import type { Positioned } from '../model/diagnostic.ts'
import { Lines } from './lines.ts'
import { printable } from './printable.ts'

const WIDEST = 160
const LEAD = 20

/** What a frame is drawn for. */
type At = Positioned & { readonly end_column?: number }

/** Draws the lines around each finding with a caret under it; nothing for one that has no position. */
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
  // A position past the end of the text is moved to its end.
  const column = (at.line ?? 1) > marked ? Number.POSITIVE_INFINITY : (at.column ?? 1)
  const width = lines.line(marked).length
  const start = Math.min(Math.max(0, column - 1), width)
  const shift = start > WIDEST - LEAD ? start - LEAD : 0
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const shown = shownPart(lines.line(number), shift)
    frame.push(`${number === marked ? '>' : ' '} ${String(number).padStart(gutter)} | ${shown}`.trimEnd())
    if (number !== marked) continue
    const length = at.end_column === undefined ? 1 : Math.min(at.end_column - 1, width, shift + WIDEST) - start
    const indent = ' '.repeat(start - shift + (shift > 0 ? 1 : 0))
    frame.push(`  ${' '.repeat(gutter)} | ${indent}${'^'.repeat(Math.max(1, length))}`)
  }
  return frame.join('\n')
}

/** The part of a line that is shown, with an ellipsis where the line continues. */
function shownPart(line: string, shift: number): string {
  const shown = printable(line.slice(shift, shift + WIDEST))
  return `${shift > 0 && line !== '' ? '…' : ''}${shown}${line.length > shift + WIDEST ? '…' : ''}`
}
