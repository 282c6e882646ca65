/** Selects the model call that contains the bait and shortens it for display. */
import { beginning, writeJson } from '@joust/source'
import type { ModelEntry } from '../model/model-entry.ts'
import type { Exposure } from '../model/outcome.ts'
import type { RunFacts } from '../model/run-facts.ts'

/** A text in a request or in the response to it. */
export interface CallPart {
  /** `system`, `user`, `assistant`, `result`, `call` or `tool`, followed by the name if there is one. */
  readonly role: string
  readonly text: string
  /** Offsets of the bait in the text. */
  readonly marks: readonly (readonly [from: number, to: number])[]
  /** Length of the whole text. Absent if `text` is not shortened. */
  readonly characters?: number
}

/** The first call to the agent's model that contains all or part of the bait. */
export interface BaitCall {
  readonly number: number
  /** Number of observed calls. */
  readonly calls: number
  readonly model?: string
  readonly how: 'exact' | 'plain' | 'part'
  readonly request: readonly CallPart[]
  /** Number of messages in the request that are not shown. */
  readonly leftOut: number
  /** Number of tools that the request offers. */
  readonly tools: number
  readonly answer: readonly CallPart[]
  /** The provider's finish reason. */
  readonly finish: string
}

const bounds = {
  /** Maximum length of a text that does not contain the bait, in characters. */
  text: 600,
  /** Number of characters shown before and after the bait. */
  around: 1500,
  /** Number of messages shown from the start and the end of a request. */
  first: 4,
  last: 8,
} as const

/** Creates a selector that receives the model calls and the last line of a trace. */
export function createBaitCall({ bait, bait_call: number }: Exposure) {
  let call: ModelEntry | undefined
  let facts: RunFacts['model']
  return {
    onModel(entry: ModelEntry) {
      if (entry.model === number) call = entry
    },
    onEnding({ model }: Pick<RunFacts, 'model'>) {
      facts = model
    },
    finish(): BaitCall | undefined {
      const readFact = bait.flatMap((path) => facts?.read[path] ?? []).find((fact) => fact.call === number)
      if (call === undefined || facts === undefined || readFact === undefined) return undefined
      return baitCall(call, facts.calls, readFact.how, readFact.texts ?? [])
    },
  }
}

function baitCall(entry: ModelEntry, calls: number, how: BaitCall['how'], texts: readonly string[]): BaitCall {
  const part = (role: string, text: string) => partOf(role, text, texts)
  const tools = entry.tools.map(({ name, description, schema }) =>
    part(`tool ${name}`, schema === undefined ? description : `${description}\n${writeJson(schema)}`),
  )
  const messages = entry.messages.map((message) => {
    if (message.role === 'call') return part(`call to ${message.name}`, writeJson(message.input))
    return part(message.role, message.text)
  })
  const isShown = ({ marks }: CallPart, at: number) =>
    marks.length > 0 || at < bounds.first || at >= messages.length - bounds.last
  const visible = messages.filter(isShown)
  const { answer, finish, name } = entry
  return {
    number: entry.model,
    calls,
    ...(name !== undefined && { model: name }),
    how,
    request: [...tools.filter(({ marks }) => marks.length > 0), ...visible],
    leftOut: messages.length - visible.length,
    tools: tools.length,
    answer: [
      ...(answer.text === '' ? [] : [part('assistant', answer.text)]),
      ...answer.calls.map((one) => part(`call to ${one.name}`, writeJson(one.input))),
    ],
    finish: finish.word ?? finish.kind,
  }
}

function partOf(role: string, text: string, baits: readonly string[]): CallPart {
  const spans = baits.map((bait) => spanOf(text, bait)).filter((span) => span !== undefined)
  if (spans.length === 0) {
    const head = beginning(text, bounds.text)
    return { role, text: head, marks: [], ...(head.length < text.length && { characters: text.length }) }
  }
  const from = Math.max(0, Math.min(...spans.map(([start]) => start)) - bounds.around)
  const to = Math.max(...spans.map(([, end]) => end)) + bounds.around
  const marks = spans.map(([start, end]) => [start - from, end - from] as const).sort(([a], [b]) => a - b)
  const around = text.slice(from, to)
  return { role, text: around, marks, ...(around.length < text.length && { characters: text.length }) }
}

/** Finds a bait in a text, ignoring white space, backslashes and escaped white space. */
function spanOf(text: string, bait: string): readonly [number, number] | undefined {
  const exact = text.indexOf(bait)
  if (exact >= 0) return [exact, exact + bait.length]
  const { plain, places } = plainForm(text)
  const form = plainForm(bait).plain
  const at = form === '' ? -1 : plain.indexOf(form)
  const [from, last] = [places[at], places[at + form.length - 1]]
  return at < 0 || from === undefined || last === undefined ? undefined : [from, last + 1]
}

/** Returns the text without the ignored characters, and the original position of each remaining one. */
function plainForm(text: string): { readonly plain: string; readonly places: readonly number[] } {
  const places: number[] = []
  let plain = ''
  for (const { 0: character, index } of text.matchAll(/\\[nrt]|[\s\\]|[^\s\\]/g)) {
    if (character.length > 1 || /[\s\\]/.test(character)) continue
    plain += character
    places.push(index)
  }
  return { plain, places }
}
