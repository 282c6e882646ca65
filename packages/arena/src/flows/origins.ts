/** The values that a message brings to the agent, with their origin. */
import { isListing, type LoadedAttack, roleOf } from '@joust/oatf'
import type { FlowKind, TraceEntry } from '@joust/results'
import { isList, isRecord, own, ownList, ownText, parseJson, type Value } from '@joust/source'
import { classifyServer } from '../inventory/classify.ts'
import type { ToolDefinition } from '../inventory/features.ts'
import { arenaLimits } from '../model/limits.ts'
import { isValueKey, SHORTEST_PART } from './distinctive.ts'

/** A value and the tool, resource, prompt or message that brought it. */
export interface Origin {
  readonly text: string
  readonly kind: FlowKind
  readonly name: string
  /** True for text in the definition of a tool, which may recur in calls to that tool. */
  readonly isDefinition: boolean
  /** True for a text that contains a bait, which is evidence no matter how often it was planted. */
  readonly isPlanted?: true
}

/** Follows the messages in a run and returns the values in each. `onLimit` is called for values over a limit. */
export function createOrigins({ plants }: LoadedAttack, onLimit: () => void) {
  const baits = [...new Set(plants.baits.flatMap(({ items }) => items).flatMap(({ value }) => baitTexts(value)))]
  const valuesOf = (content: Value, kind: FlowKind, name: string): Origin[] =>
    valuesIn(content, kind, name, onLimit).map((origin) =>
      baits.some((bait) => origin.text.includes(bait)) ? { ...origin, isPlanted: true } : origin,
    )
  const waiting = createWaiting()
  const privateTools = new Map<string, ReadonlySet<string>>()

  const answered = (entry: TraceEntry): readonly Origin[] => {
    const name = waiting.nameOf(entry)
    const isPrivate = entry.surface === 'tools/call' && privateTools.get(entry.actor)?.has(name) === true
    return withBaits(valuesOf(entry.content, isPrivate ? 'private' : 'untrusted', name), baits)
  }
  return (entry: TraceEntry): readonly Origin[] => {
    const { flow, mode, surface, content, actor, direction, malformed } = entry
    if (malformed !== undefined || entry.derived === true) return []
    const role = roleOf(mode)
    if (flow === 'in') {
      if (role === 'server' && direction === 'request') waiting.add(entry)
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

/** Pending requests from the agent, by actor, session and operation. */
function createWaiting() {
  const lists = new Map<string, string[]>()
  /** The most recently used list, since successive entries usually share one. */
  let latest: { actor: string; session: string; surface: string; list: string[] } | undefined
  const listFor = ({ actor, session = '', surface }: TraceEntry): string[] => {
    if (latest?.surface === surface && latest.actor === actor && latest.session === session) return latest.list
    const key = `${actor}\n${session}\n${surface}`
    const list = lists.get(key) ?? []
    lists.set(key, list)
    latest = { actor, session, surface, list }
    return list
  }
  return {
    add(entry: TraceEntry): void {
      const list = listFor(entry)
      if (list.length >= arenaLimits.flowValues) return
      const { content, surface, actor } = entry
      const name = ownText(content, 'name') ?? ownText(content, 'uri')
      list.push(name ?? (surface.startsWith('message/') ? actor : surface))
    },
    /** Returns the name in the answered request, as recorded or else from the earliest pending request. */
    nameOf(entry: TraceEntry): string {
      const { about, surface } = entry
      const list = listFor(entry)
      const index = about === undefined ? 0 : list.indexOf(about)
      return (index === 0 ? list.shift() : index > 0 ? list.splice(index, 1)[0] : undefined) ?? about ?? surface
    },
  }
}

/** Returns the names of listed tools that read private data. */
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

/** Returns the values in a listing, named after its entries, or the values in a request or notification. */
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

/** Returns the content from the user: in AG-UI, the messages, context and state, but not the tools. */
function userContent({ surface, content }: TraceEntry): Value {
  if (surface !== 'run_agent_input' || !isRecord(content)) return content
  return [own(content, 'messages') ?? null, own(content, 'context') ?? null, own(content, 'state') ?? null]
}

/** Adds the baits in a private or user message as separate, untrusted values. */
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
 * Returns the strings and numbers in a value, also in embedded JSON, but not those that the protocol defines.
 * Iterative, since depth is not bounded.
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

/** Keys whose values are defined by the protocol. */
const PROTOCOL: ReadonlySet<string> = new Set([
  ...['type', 'role', 'kind', 'mimeType', 'method', 'messageId', 'threadId', 'runId', 'contextId', 'taskId'],
  ...['toolCallId', 'artifactId', 'jsonrpc', 'progressToken', '$schema', 'format', 'pattern', '_meta'],
])

/** Returns the texts around a bait's templates that are long enough to be recognized. */
function baitTexts(value: Value): string[] {
  const texts = valuesIn(value, 'untrusted', '', () => {}).flatMap(({ text }) => text.split(/\{\{[^}]*\}\}/))
  return texts.map((text) => text.trim()).filter((text) => text.length >= SHORTEST_PART)
}
