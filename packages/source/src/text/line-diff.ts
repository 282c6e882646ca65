import type { Span } from '../model/source.ts'
import { commonParts } from './common-parts.ts'

interface Hunk {
  readonly left: Span
  readonly right: Span
}

/** Returns edits of whole lines that turn one text into the other. */
export function lineEdits(before: string, after: string): (Span & { readonly text: string })[] {
  const oldLines = splitLines(before)
  const newLines = splitLines(after)
  const offsets = [0]
  for (const line of oldLines) offsets.push((offsets.at(-1) ?? 0) + line.length)
  return findHunks(oldLines, newLines).map((hunk) => ({
    start: offsets[hunk.left.start] ?? before.length,
    end: offsets[hunk.left.end] ?? before.length,
    text: newLines.slice(hunk.right.start, hunk.right.end).join(''),
  }))
}

/** Returns a unified diff; empty if the texts are equal. */
export function unifiedDiff(before: string, after: string, name: string, context = 3): string {
  const left = splitLines(before)
  const right = splitLines(after)
  const parts: string[] = []
  let group: Hunk[] = []
  const flush = (): void => {
    if (group.length > 0) parts.push(drawGroup(left, right, group, context))
    group = []
  }
  for (const hunk of findHunks(left, right)) {
    const last = group.at(-1)
    if (last !== undefined && hunk.left.start - last.left.end > 2 * context) flush()
    group.push(hunk)
  }
  flush()
  return parts.length === 0 ? '' : `--- ${name}\n+++ ${name}\n${parts.join('')}`
}

function drawGroup(left: readonly string[], right: readonly string[], group: readonly Hunk[], context: number): string {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return ''
  const lead = Math.min(context, first.left.start)
  const tail = Math.min(context, left.length - last.left.end)
  const from = first.left.start - lead
  const lines: string[] = []
  let at = from
  for (const hunk of group) {
    for (; at < hunk.left.start; at++) lines.push(drawLine(' ', left[at]))
    for (; at < hunk.left.end; at++) lines.push(drawLine('-', left[at]))
    for (const line of right.slice(hunk.right.start, hunk.right.end)) lines.push(drawLine('+', line))
  }
  for (const end = at + tail; at < end; at++) lines.push(drawLine(' ', left[at]))
  const old = range(from, last.left.end + tail)
  const now = range(first.right.start - lead, last.right.end + tail)
  return `@@ -${old} +${now} @@\n${lines.join('')}`
}

/** Writes the range of a hunk. An empty range is written as the preceding line. */
function range(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`
}

function drawLine(mark: string, line = ''): string {
  return /[\r\n]$/.test(line) ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`
}

function findHunks(left: readonly string[], right: readonly string[]): Hunk[] {
  const hunks: Hunk[] = []
  let from = { left: 0, right: 0 }
  for (const [a, b] of [...commonParts(left, right), [left.length, right.length] as const]) {
    if (a > from.left || b > from.right)
      hunks.push({ left: { start: from.left, end: a }, right: { start: from.right, end: b } })
    from = { left: a + 1, right: b + 1 }
  }
  return hunks
}

function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []
}
