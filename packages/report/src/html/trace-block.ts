/** Data blocks of a report. The first line of a trace block describes the messages; their contents follow. */
import { createBaitCall, type Exposure, type TraceEntry, type TraceItem } from '@joust/results'
import { beginning, messageOf, writeJson } from '@joust/source'
import type { TraceSummary } from '../components/data.ts'
import { type Message, messageOfEntry } from '../components/trace.ts'
import type { OpenTrace } from '../content/input.ts'
import { type ReportLimits, reportBounds } from '../content/limits.ts'

/** A block and a summary of its trace. */
interface TraceBlock {
  readonly html: string
  readonly summary: TraceSummary
}

/** Reads a trace into a block. Never rejects: after an error the block has the messages so far. */
export async function traceBlock(
  id: string,
  trace: (on: Parameters<OpenTrace>[2]) => AsyncIterable<TraceItem>,
  deciding: ReadonlySet<number>,
  limits: ReportLimits,
  exposure: Exposure,
): Promise<TraceBlock> {
  const messages: Message[] = []
  const lines: string[] = []
  const count = { messages: 0, broken: 0, leftOut: 0, shortened: 0, characters: 0 }
  let gap = 0
  const push = (message: Message, line: string) => {
    messages.push(gap === 0 ? message : { ...message, leftOut: gap })
    gap = 0
    lines.push(line)
    count.characters += line.length
  }
  const take = (entry: TraceEntry) => {
    count.messages += 1
    const decides = deciding.has(entry.seq)
    const full = lines.length >= limits.messages || count.characters >= limits.characters
    if (full && !decides) {
      count.leftOut += 1
      gap += 1
      return
    }
    const { line, whole } = lineOf(entry, decides ? limits.decidingMessage : limits.message)
    if (whole !== undefined) count.shortened += 1
    push({ ...messageOfEntry(entry), ...(whole === undefined ? {} : { characters: whole }) }, line)
  }
  const model = createBaitCall(exposure)
  const fault = await readAll(
    () => trace(model),
    (item) => {
      if (item.ok) take(item.value)
      else if (count.broken++ < reportBounds.brokenLines) push(brokenLine(item.error.message, messages.at(-1)), 'null')
    },
  )
  const baitCall = model.finish()
  const head = { messages, ...(gap === 0 ? {} : { leftOut: gap }), ...(baitCall && { baitCall }) }
  const html = dataBlock(id, [embeddedJson(head), ...lines].join('\n'))
  const { leftOut, shortened } = count
  return { html, summary: { messages: count.messages, leftOut, shortened, ...(fault === undefined ? {} : { fault }) } }
}

function brokenLine(malformed: string, before: Message | undefined): Message {
  const empty = { actor: '', mode: '', protocol: '', phase: '', surface: '', label: '' }
  return { seq: 0, elapsed: before?.elapsed ?? 0, ...empty, malformed, broken: true }
}

async function readAll(
  trace: () => AsyncIterable<TraceItem>,
  take: (item: TraceItem) => void,
): Promise<string | undefined> {
  try {
    for await (const item of trace()) take(item)
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

/** The content as JSON; if it is too long, its beginning as a string, with the length of the whole. */
function lineOf({ content }: TraceEntry, longest: number): { readonly line: string; readonly whole?: number } {
  const json = writeJson(content)
  if (json.length > longest) return { line: embeddedJson(beginning(json, longest)), whole: json.length }
  return { line: embeddedJson(content) }
}

// Characters that could end the element or start another, or would change how an editor or terminal displays the file.
const UNSAFE = /[<\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** JSON that is safe inside a `script` element: without `<`, on one line. */
export function embeddedJson(value: unknown): string {
  return writeJson(value).replaceAll(UNSAFE, escaped)
}

/** A data block, which browsers do not execute. */
export function dataBlock(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
