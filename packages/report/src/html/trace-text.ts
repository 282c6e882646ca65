/** Writes traces as text: a first line that describes the messages, then one line for the content of each message. */
import { type AttackResults, createBaitCall, type Exposure, type TraceEntry, type TraceItem } from '@joust/results'
import { beginning, defined, messageOf, writeJson } from '@joust/source'
import type { TraceHead, TraceSummary } from '../components/data.ts'
import { type Message, messageOfEntry } from '../components/trace.ts'
import type { OpenTrace } from '../content/input.ts'
import { type ReportLimits, reportBounds } from '../content/limits.ts'

interface TraceText {
  readonly text: string
  readonly summary: Omit<TraceSummary, 'block' | 'part'>
}

/** Reads a trace. Never rejects: after an error, the text contains the messages read so far. */
export async function traceText(
  attack: AttackResults | undefined,
  trace: (on: Parameters<OpenTrace>[2]) => AsyncIterable<TraceItem>,
  deciding: ReadonlySet<number>,
  limits: ReportLimits,
  exposure: Exposure,
): Promise<TraceText> {
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
  let fault: string | undefined
  try {
    for await (const item of trace(model)) {
      if (item.ok) take(item.value)
      else if (count.broken++ < reportBounds.brokenLines) push(brokenLine(item.error.message, messages.at(-1)), 'null')
    }
  } catch (thrown) {
    fault = messageOf(thrown)
  }
  const baitCall = model.finish()
  const head: TraceHead = defined({ messages, leftOut: gap === 0 ? undefined : gap, baitCall, attack })
  const text = [writeJson(head), ...lines].join('\n')
  const { leftOut, shortened } = count
  return { text, summary: { messages: count.messages, leftOut, shortened, ...(fault === undefined ? {} : { fault }) } }
}

function brokenLine(malformed: string, before: Message | undefined): Message {
  const empty = { actor: '', mode: '', protocol: '', phase: '', surface: '', label: '' }
  return { seq: 0, elapsed: before?.elapsed ?? 0, ...empty, malformed, broken: true }
}

function lineOf({ content }: TraceEntry, longest: number): { readonly line: string; readonly whole?: number } {
  const json = writeJson(content)
  if (json.length > longest) return { line: writeJson(beginning(json, longest)), whole: json.length }
  return { line: json }
}
