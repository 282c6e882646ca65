/** The values that a message delivers to the agent, and their origin. */
import { isListing, type LoadedAttack, roleOf } from '@joust/oatf'
import type { FlowKind, TraceEntry } from '@joust/results'
import { isList, isRecord, own, ownList, ownText, parseJson, type Value } from '@joust/source'
import { classifyServer } from '../inventory/classify.ts'
import type { ToolDefinition } from '../inventory/features.ts'
import { arenaLimits } from '../model/limits.ts'
import { isValueKey } from './distinctive.ts'
import { SHORTEST_PART } from './part-index.ts'

/** A value and the tool, resource, prompt or message that delivered it. */
export interface Origin {
  readonly text: string
  readonly kind: FlowKind
  readonly name: string
  /** True for a tool definition, whose text may recur in calls to that tool. */
  readonly isDefinition: boolean
  /** True for bait text, which is evidence however often it was planted. */
  readonly isPlanted?: true
}

/**
 * Returns a function that takes all messages in order and returns the values that each delivers. `onLimit` is called
 * for values over a limit.
 */
export function createOrigins({ plants }: LoadedAttack, onLimit: () => void) {
  const baits = [...new Set(plants.baits.flatMap(({ items }) => items).flatMap(({ value }) => baitTexts(value)))]
  const valuesOf = (content: Value, kind: FlowKind, name: string): Origin[] =>
    valuesIn(content, kind, name, onLimit).map((origin) =>
      baits.some((bait) => origin.text.includes(bait)) ? { ...origin, isPlanted: true } : origin,
    )
  /** Pending requests from the agent, by actor, session and operation. */
  const waiting = new Map<string, string[]>()
  const privateTools = new Map<string, ReadonlySet<string>>()

  const answered = (entry: TraceEntry): readonly Origin[] => {
    const name = nameOf(waiting, entry)
    const isPrivate = entry.surface === 'tools/call' && privateTools.get(entry.actor)?.has(name) === true
    return withBaits(valuesOf(entry.content, isPrivate ? 'private' : 'untrusted', name), baits)
  }
  return (entry: TraceEntry): readonly Origin[] => {
    const { flow, mode, surface, content, actor, direction, malformed } = entry
    if (malformed !== undefined || entry.derived === true) return []
    const role = roleOf(mode)
    if (flow === 'in') {
      if (role === 'server' && direction === 'request') remember(waiting, entry)
      return []
    }
    if (role === 'client') return withBaits(valuesOf(userContent(entry), 'user', 'user'), baits)
    if (surface === 'tools/list') privateTools.set(actor, privateIn(actor, content))
    if (isListing(surface) || direction === 'request') return listedIn(entry, valuesOf)
    return surface === 'initialize'
      ? valuesOf(own(content, 'instructions') ?? null, 'untrusted', actor)
      : answered(entry)
  }
}

function remember(waiting: Map<string, string[]>, entry: TraceEntry): void {
  const list = waiting.get(keyOf(entry)) ?? []
  waiting.set(keyOf(entry), list)
  const { content, surface, actor } = entry
  const name = ownText(content, 'name') ?? ownText(content, 'uri')
  if (list.length < arenaLimits.flowValues) list.push(name ?? (surface.startsWith('message/') ? actor : surface))
}

/** The recorded name of the answered request, otherwise the name of the earliest pending one. */
function nameOf(waiting: Map<string, string[]>, entry: TraceEntry): string {
  const { about, surface } = entry
  const pending = waiting.get(keyOf(entry)) ?? []
  const index = about === undefined ? 0 : pending.indexOf(about)
  const [name = about ?? surface] = index < 0 ? [] : pending.splice(index, 1)
  return name
}

function keyOf({ actor, session = '', surface }: TraceEntry): string {
  return `${actor}\n${session}\n${surface}`
}

function privateIn(actor: string, content: Value): ReadonlySet<string> {
  const tools = ownList(content, 'tools')
    .slice(0, arenaLimits.traceTools)
    .flatMap((tool): ToolDefinition[] => {
      const name = ownText(tool, 'name')
      return name === undefined || !isRecord(tool) ? [] : [{ ...tool, name }]
    })
  const labelled = classifyServer({ name: actor, tools })
  return new Set(
    labelled.flatMap(({ tool, labels }) => (labels.some(({ label }) => label === 'private') ? [tool] : [])),
  )
}

/** Attributes the strings in a listing to its entries. */
function listedIn(
  { content, surface, actor }: TraceEntry,
  valuesOf: (content: Value, kind: FlowKind, name: string) => Origin[],
): Origin[] {
  const lists = isRecord(content) ? Object.values(content).filter((value) => isList(value)) : []
  if (!isListing(surface) || lists.length === 0)
    return valuesOf(content, 'untrusted', isListing(surface) ? actor : surface)
  return lists.flat().flatMap((item) => {
    const name = ownText(item, 'name') ?? ownText(item, 'uri') ?? actor
    return valuesOf(item, 'untrusted', name).map((origin) => ({ ...origin, isDefinition: true }))
  })
}

/** In AG-UI, the user's strings are in the messages, context and state, not the tools. */
function userContent({ surface, content }: TraceEntry): Value {
  if (surface !== 'run_agent_input' || !isRecord(content)) return content
  return [own(content, 'messages') ?? null, own(content, 'context') ?? null, own(content, 'state') ?? null]
}

/** Puts the baits in a message first, as untrusted values. */
function withBaits(all: readonly Origin[], baits: readonly string[]): readonly Origin[] {
  const [first] = all
  if (first === undefined || first.kind === 'untrusted') return all
  const { name } = first
  const planted = baits.filter((bait) => all.some(({ text }) => text.includes(bait)))
  const isPlanted = ({ text }: Origin) => planted.some((bait) => bait.includes(text))
  return [
    ...planted.map((text) => ({
      text,
      kind: 'untrusted' as const,
      name,
      isDefinition: false,
      isPlanted: true as const,
    })),
    ...all.filter((origin) => !isPlanted(origin)),
  ]
}

/**
 * Returns the strings and numbers in a value, without protocol fields, and those in JSON strings. Iterative, since
 * depth is not bounded.
 */
function valuesIn(content: Value, kind: FlowKind, name: string, onLimit: () => void): Origin[] {
  const values: Origin[] = []
  const strings = new Set<string>()
  const pending: Value[] = [content]
  const take = (whole: string) => {
    const text = whole.slice(0, arenaLimits.flowValue)
    if (text.length < whole.length) onLimit()
    if (!strings.has(text)) values.push({ text, kind, name, isDefinition: false })
    strings.add(text)
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (values.length >= arenaLimits.flowValues) {
      onLimit()
      break
    }
    const inside = typeof next === 'string' && /^\s*[[{]/.test(next) ? parseJson(next) : undefined
    if (isRecord(inside) || isList(inside)) pending.push(inside)
    else if (typeof next === 'string' || typeof next === 'number' || typeof next === 'bigint') take(String(next))
    else if (isList(next)) for (let index = next.length - 1; index >= 0; index--) pending.push(next[index] ?? null)
    else if (isRecord(next))
      for (const key of Object.keys(next).reverse()) {
        if (isValueKey(key)) take(key)
        if (!PROTOCOL.has(key)) pending.push(own(next, key) ?? null)
      }
  }
  return values
}

const PROTOCOL: ReadonlySet<string> = new Set([
  ...['type', 'role', 'kind', 'mimeType', 'method', 'messageId', 'threadId', 'runId', 'contextId', 'taskId'],
  ...['toolCallId', 'artifactId', 'jsonrpc', 'progressToken', '$schema', 'format', 'pattern', '_meta'],
])

/** Splits a bait at its templates, and drops pieces that are too short to be recognized. */
function baitTexts(value: Value): string[] {
  const texts = valuesIn(value, 'untrusted', '', () => {}).flatMap(({ text }) => text.split(/\{\{[^}]*\}\}/))
  return texts.map((text) => text.trim()).filter((text) => text.length >= SHORTEST_PART)
}
