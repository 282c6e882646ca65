/** The parts of a document, as a tree. */
import { type ActorSite, type PhaseSite, walkValue } from '@joust/oatf/vocabulary'
import { isList, isRecord, own, type Path, type Span, type ValueRecord } from '@joust/source'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import type { OutlineItem, OutlineKind } from '../model.ts'
import { textAt, valueAt } from '../text/reading.ts'

/** The tree of a file. */
export function outline(context: Context): OutlineItem[] {
  if (context.kind === 'oatf') return ofAttack(context)
  if (context.kind === 'agent') return ofAgent(context)
  return context.kind === 'project' ? ofProject(context) : []
}

interface About {
  readonly path: Path
  readonly kind: OutlineKind
  /** The keys of which the first that is there names it. */
  readonly named?: readonly string[]
  readonly name?: string
  readonly detail?: string | undefined
  readonly children?: readonly OutlineItem[]
}

function item(context: Context, { path, kind, named = [], name, detail, children = [] }: About): OutlineItem[] {
  const range = extentOf(context, path)
  if (range === undefined) return []
  const entry = context.entry(path)
  const key = named.find((one) => textAt(context.reading.value, [...path, one]) !== undefined)
  const given = key === undefined ? undefined : context.entry([...path, key])
  const selection: Span =
    given === undefined
      ? (entry?.key ?? { start: range.start, end: range.start + 1 })
      : insideQuotes(context.file.text, given.value)
  const label =
    (key === undefined ? undefined : textAt(context.reading.value, [...path, key])) ?? name ?? String(path.at(-1))
  // An empty name would not be shown, and editors refuse it.
  return [{ name: label || '(unnamed)', kind, range, selection, children, ...(detail === undefined ? {} : { detail }) }]
}

function ofAttack(context: Context): OutlineItem[] {
  const walk = walkValue(context.reading.value)
  const actors = walk.actors.flatMap((actor) => ofActor(context, actor))
  const indicators = walk.indicators.flatMap(({ path, value }, index) => {
    const detail = [own(value, 'surface'), own(value, 'tier')].filter((part) => typeof part === 'string').join(' · ')
    return item(context, { path, kind: 'indicator', named: ['id'], name: `indicator ${index + 1}`, detail })
  })
  const id = textAt(context.reading.value, ['attack', 'id'])
  return item(context, {
    path: ['attack'],
    kind: 'attack',
    named: ['name', 'id'],
    detail: id,
    children: [...actors, ...indicators],
  })
}

function ofActor(context: Context, { path, name, mode, phases, form }: ActorSite): OutlineItem[] {
  const children = form === 'state' ? [] : phases.flatMap((phase) => ofPhase(context, phase))
  return item(context, {
    path,
    kind: 'actor',
    named: form === 'actors' ? ['name'] : [],
    name: name ?? 'actor',
    detail: mode,
    children,
  })
}

function ofPhase(context: Context, { path, value, index }: PhaseSite): OutlineItem[] {
  const extractors = own(value, 'extractors')
  const children = (isList(extractors) ? [...extractors.keys()] : []).flatMap((at) =>
    item(context, {
      path: [...path, 'extractors', at],
      kind: 'extractor',
      named: ['name'],
      name: `extractor ${at + 1}`,
    }),
  )
  return item(context, {
    path,
    kind: 'phase',
    named: ['name'],
    name: `phase ${index + 1}`,
    detail: triggerText(own(value, 'trigger')),
    children,
  })
}

function triggerText(trigger: unknown): string | undefined {
  if (!isRecord(trigger)) return undefined
  const { event, count, after } = trigger
  const waits = typeof event === 'string' ? `until ${event}${typeof count === 'number' ? ` × ${count}` : ''}` : ''
  const time = typeof after === 'string' ? `after ${after}` : ''
  return [waits, time].filter((part) => part !== '').join(', ')
}

const lists = ['local_tools', 'mcp_servers', 'local_agents', 'remote_agents']

function ofAgent(context: Context): OutlineItem[] {
  const { value } = context.reading
  const sides = ['input', 'output'].flatMap((side) =>
    item(context, { path: ['interface', side], kind: 'interface', name: side }),
  )
  const policy = item(context, {
    path: ['execution_policy'],
    kind: 'policy',
    named: ['id'],
    name: 'execution_policy',
    children: delegations(context),
  })
  const callables = lists.flatMap((list) => {
    const entries = valueAt(value, ['action_space', list])
    return (isList(entries) ? [...entries.keys()] : []).flatMap((index) =>
      item(context, { path: ['action_space', list, index], kind: 'callable', named: ['alias'], detail: list }),
    )
  })
  const self = item(context, { path: ['metadata'], kind: 'agent', named: ['name', 'id'] })
  return [...self, ...sides, ...policy, ...callables]
}

/** The steps, agents or routes of a policy. */
function delegations(context: Context): OutlineItem[] {
  const config: Path = ['execution_policy', 'config']
  const value = valueAt(context.reading.value, config)
  return Object.entries(isRecord(value) ? value : {}).flatMap(([key, list]) => {
    if (!isList(list) || !/^(?:steps|agents|routes)$/.test(key)) return []
    return list.flatMap((_, index) =>
      item(context, { path: [...config, key, index], kind: 'key', named: ['agent'], name: `${key} ${index + 1}` }),
    )
  })
}

function ofProject(context: Context): OutlineItem[] {
  const top: ValueRecord = isRecord(context.reading.value) ? context.reading.value : {}
  return Object.entries(top).flatMap(([key, value]) => {
    const children = (key === 'targets' || key === 'presets') && isRecord(value) ? Object.keys(value) : []
    const inner = children.flatMap((name) => item(context, { path: [key, name], kind: 'target' }))
    return item(context, { path: [key], kind: 'key', children: inner })
  })
}
