/** Messages about failed processes: the exception first, then its traceback once, with its line breaks. */
import { stripVTControlCharacters } from 'node:util'
import { bothEnds } from '@joust/source'
import { targetLimits } from './limits.ts'

/**
 * `ValueError: no key; the command exited with code 1`, and the output below it. Output without an exception is
 * represented by its last line, after the failure.
 */
export function failureText(failure: string, output: string): string {
  const [reason = '', ...details] = stripVTControlCharacters(failure).split('\n')
  // The failure has a traceback of its own, for example of a function.
  if (details.length > 0) return withBlock(short(reason), details)
  const lines = stripVTControlCharacters(output)
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  const exception = exceptionIn(lines)
  const last = exception ?? lines.at(-1) ?? ''
  if (last === '') return `${failure}; no output`
  const head = exception === undefined ? `${failure}: ${last}` : `${exception}; ${failure}`
  return withBlock(short(head), lines.length === 1 ? [] : lines)
}

/** The line with the type and message of the last exception, as Python and Node.js print it. */
function exceptionIn(lines: readonly string[]): string | undefined {
  const python = lines.lastIndexOf('Traceback (most recent call last):')
  if (python >= 0) {
    const end = lines.findIndex((line, at) => at > python && /^[^\s|+]/.test(line))
    if (end > 0) return lines[end]
  }
  const frame = lines.findIndex((line) => /^\s+at \S/.test(line))
  if (frame < 1) return undefined
  // A message may have several lines.
  const start = lines.slice(0, frame).findLastIndex((line) => /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/.test(line))
  return start < 0 ? undefined : lines[start]
}

/** The end of an output, to be added to a message: in the same line if it has only one. */
export function outputText(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n')
  const [only = ''] = lines
  return lines.length > 1 ? withBlock('output:', lines) : `output: ${short(only)}`
}

/** The beginning and the end of a long line; the end is often the most informative. */
function short(line: string): string {
  const head = Math.floor(targetLimits.failureLine / 3)
  return bothEnds(line, head, targetLimits.failureLine - head - 1)
}

function withBlock(head: string, lines: readonly string[]): string {
  const block = fewLines(lines.filter((line) => line !== '')).map((line) => short(line))
  return [head, ...block].join('\n')
}

/** The first and the last lines: Node.js names the exception first, Python last. */
function fewLines(lines: readonly string[]): readonly string[] {
  const most = targetLimits.failureLines
  if (lines.length <= most) return lines
  const first = Math.floor(most / 2)
  const omitted = lines.length - most + 1
  return [...lines.slice(0, first), `… ${omitted} lines …`, ...lines.slice(first + omitted)]
}
