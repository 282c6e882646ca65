/** A trace as a block of a report: an index on the first line, then a line of JSON for each message that is kept. */
import type { TraceEntry, TraceItem } from '@joust/arena'
import { beginning, writeJson } from '@joust/source'
import type { TraceSummary } from './client/data.ts'
import { dataBlock, embeddedJson } from './embed.ts'
import type { ReportLimits } from './limits.ts'
import { createTraceColumns } from './trace-columns.ts'

/** Broken lines that are shown; a file that is no trace has nothing else. */
const BROKEN_LINES = 100

/** A block, and what became of the trace in it. */
interface TraceBlock {
  readonly html: string
  readonly summary: TraceSummary
}

/** Reads a trace. Never rejects: a trace that breaks off is shown as far as it goes. */
export async function traceBlock(
  id: string,
  trace: () => AsyncIterable<TraceItem>,
  deciding: ReadonlySet<number>,
  limits: ReportLimits,
): Promise<TraceBlock> {
  const columns = createTraceColumns()
  const lines: string[] = []
  const count = { messages: 0, broken: 0, leftOut: 0, shortened: 0, characters: 0 }
  const take = (entry: TraceEntry) => {
    count.messages += 1
    const decides = deciding.has(entry.seq)
    const full = lines.length >= limits.messages || count.characters >= limits.characters
    if (full && !decides) {
      count.leftOut += 1
      columns.skip()
      return
    }
    const { line, whole } = lineOf(entry, decides ? limits.decidingMessage : limits.message)
    if (whole !== undefined) count.shortened += 1
    columns.add(entry, whole)
    lines.push(line)
    count.characters += line.length
  }
  const fault = await readAll(trace, (item) => {
    if (item.ok) take(item.value)
    else if (count.broken++ < BROKEN_LINES) {
      columns.broken(item.error.message)
      lines.push('null')
    }
  })
  const html = dataBlock(id, [embeddedJson(columns.index()), ...lines].join('\n'))
  const { messages, leftOut, shortened } = count
  const summary = { block: id, messages, leftOut, shortened, ...(fault === undefined ? {} : { fault }) }
  return { html, summary }
}

async function readAll(
  trace: () => AsyncIterable<TraceItem>,
  take: (item: TraceItem) => void,
): Promise<string | undefined> {
  try {
    for await (const item of trace()) take(item)
    return undefined
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** The content as JSON, or the beginning of it as a text and how long it is as a whole. */
function lineOf({ content }: TraceEntry, longest: number): { readonly line: string; readonly whole?: number } {
  const json = writeJson(content)
  if (json.length > longest) return { line: embeddedJson(beginning(json, longest)), whole: json.length }
  return { line: embeddedJson(content) }
}
