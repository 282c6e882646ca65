/** What the report holds: read from its blocks, each when it is first needed. */
import { FLAG_CUT } from './flags.js'

/** @import { ReportData, TraceIndex } from './data.ts' */

/** @typedef {{ index: TraceIndex, lines: readonly string[] }} Trace */

/**
 * What the whole report is about.
 * @returns {ReportData}
 */
export function readReport() {
  return JSON.parse(blockText('report'))
}

/**
 * A trace: its index is parsed, its messages stay text until one is opened.
 * @param {string} block
 * @returns {Trace}
 */
export function readTraceBlock(block) {
  const text = blockText(block)
  const lines = text.split('\n')
  return { index: JSON.parse(lines[0] ?? '{}'), lines: lines.slice(1) }
}

/**
 * What a message holds, and whether that is all of it.
 * @param {Trace} trace
 * @param {number} place
 * @returns {{ value: unknown, cut: boolean }}
 */
export function contentOf({ index, lines }, place) {
  return { value: parse(lines[place] ?? 'null'), cut: ((index.flags[place] ?? 0) & FLAG_CUT) !== 0 }
}

/**
 * @param {string} json
 * @returns {unknown}
 */
function parse(json) {
  try {
    return JSON.parse(json, exactly)
  } catch {
    // What looks at each part goes too deep for the stack before the parser itself does.
    return JSON.parse(json)
  }
}

/**
 * Keeps the digits of a large integer, where the browser tells what was written.
 * @param {string} _
 * @param {unknown} value
 * @param {{ source?: string }} [context]
 */
function exactly(_, value, context) {
  const source = typeof value === 'number' && !Number.isSafeInteger(value) ? context?.source : undefined
  return source !== undefined && /^-?[0-9]{16,20}$/.test(source) ? BigInt(source) : value
}

/**
 * The places of the messages that hold a text, in any case of its letters.
 * @param {Trace} trace
 * @param {string} text
 * @returns {Set<number>}
 */
export function searchTrace({ index, lines }, text) {
  const written = JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').toLowerCase()
  const plain = text.toLowerCase()
  const names = index.strings.map((name) => name.toLowerCase().includes(plain))
  const found = new Set()
  for (const [place, line] of lines.entries()) {
    const surface = names[index.surface[place] ?? -1] === true
    const lower = line.toLowerCase()
    // Either as the message says it, or as the JSON of it is written.
    if (surface || lower.includes(written) || lower.includes(plain)) found.add(place)
  }
  return found
}

/** @param {string} id */
function blockText(id) {
  return document.getElementById(id)?.textContent?.trim() ?? 'null'
}
