/** Messages about failed processes. The exception is first, followed by the traceback with line breaks. */
import { stripVTControlCharacters } from 'node:util'
import { bothEnds } from '@joust/source'
import { targetLimits } from './limits.ts'

/**
 * Formats a failure, such as `ValueError: no key; the command exited with code 1`, followed by the output. If the
 * output contains no exception, its last line follows the failure.
 */
export function failureText(failure: string, output: string): string {
  const [reason = '', ...details] = stripVTControlCharacters(failure).split('\n')
  // The failure has its own traceback, for example from a function.
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

/** Returns the line with the type and message of the last exception, as printed by Python or Node.js. */
function exceptionIn(lines: readonly string[]): string | undefined {
  const python = lines.lastIndexOf('Traceback (most recent call last):')
  if (python >= 0) {
    const end = lines.findIndex((line, at) => at > python && /^[^\s|+]/.test(line))
    if (end > 0) return lines[end]
  }
  const frame = lines.findIndex((line) => /^\s+at \S/.test(line))
  if (frame < 1) return undefined
  // The message may have several lines.
  const start = lines.slice(0, frame).findLastIndex((line) => /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/.test(line))
  return start < 0 ? undefined : lines[start]
}

/** Formats the end of an output for a message. Several lines are formatted as a block. */
export function outputText(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n')
  const [only = ''] = lines
  return lines.length > 1 ? withBlock('output:', lines) : `output: ${short(only)}`
}

/** Shortens a long line in the middle, because the end is often most informative. */
function short(line: string): string {
  const head = Math.floor(targetLimits.failureLine / 3)
  return bothEnds(line, head, targetLimits.failureLine - head - 1)
}

function withBlock(head: string, lines: readonly string[]): string {
  const block = fewLines(lines.filter((line) => line !== '')).map((line) => short(line))
  return [head, ...block].join('\n')
}

/** Returns the first and last lines, because Node.js prints the exception first, Python last. */
function fewLines(lines: readonly string[]): readonly string[] {
  const most = targetLimits.failureLines
  if (lines.length <= most) return lines
  const first = Math.floor(most / 2)
  const omitted = lines.length - most + 1
  return [...lines.slice(0, first), `… ${omitted} lines …`, ...lines.slice(first + omitted)]
}
