/** The outline of a document. */
import { type ActorSite, type PhaseSite, walkValue } from '@joust/oatf/vocabulary'
import { defined, isRecord, own, type Path, type Span } from '@joust/source'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import { triggerText } from '../documents/attack-parts.ts'
import type { OutlineItem, OutlineKind } from '../model.ts'
import { itemsAt, textAt } from '../text/reading.ts'

export function outline(context: Context): OutlineItem[] {
  if (context.kind === 'oatf') return ofAttack(context)
  if (context.kind === 'agent') return ofAgent(context)
  return context.kind === 'project' ? ofProject(context) : []
}

interface About {
  /** Keys that may contain the item name; the first one present is used. */
  readonly named?: readonly string[]
  readonly name?: string | undefined
  readonly detail?: string | undefined
  readonly children?: readonly OutlineItem[]
}

function item(context: Context, path: Path, kind: OutlineKind, about: About = {}): OutlineItem[] {
  const range = extentOf(context, path)
  if (range === undefined) return []
  const { named = [], name = String(path.at(-1)), detail, children = [] } = about
  const at = named.map((key) => [...path, key]).find((key) => textAt(context.reading.value, key) !== undefined)
  const nameEntry = at === undefined ? undefined : context.entry(at)
  const selection: Span =
    nameEntry === undefined
      ? (context.entry(path)?.key ?? { start: range.start, end: range.start + 1 })
      : insideQuotes(context.file.text, nameEntry.value)
  const label = at === undefined ? name : textAt(context.reading.value, at)
  // Editors reject an empty name.
  return [defined({ name: label || '(unnamed)', kind, range, selection, children, detail })]
}

function itemsOf(context: Context, path: Path, kind: OutlineKind, about: (index: number) => About): OutlineItem[] {
  return itemsAt(context.reading.value, path).flatMap((_, index) => item(context, [...path, index], kind, about(index)))
}

function ofAttack(context: Context): OutlineItem[] {
  const walk = walkValue(context.reading.value)
  const indicators = walk.indicators.flatMap(({ path, value }, index) => {
    const detail = [own(value, 'surface'), own(value, 'tier')].filter((part) => typeof part === 'string').join(' · ')
    return item(context, path, 'indicator', { named: ['id'], name: `indicator ${index + 1}`, detail })
  })
  const children = [...walk.actors.flatMap((actor) => ofActor(context, actor)), ...indicators]
  const detail = textAt(context.reading.value, ['attack', 'id'])
  return item(context, ['attack'], 'attack', { named: ['name', 'id'], detail, children })
}

function ofActor(context: Context, { path, name = 'actor', mode, phases, form }: ActorSite): OutlineItem[] {
  const children = form === 'state' ? [] : phases.flatMap((phase) => ofPhase(context, phase))
  return item(context, path, 'actor', { named: form === 'actors' ? ['name'] : [], name, detail: mode, children })
}

function ofPhase(context: Context, { path, value, index }: PhaseSite): OutlineItem[] {
  const children = itemsOf(context, [...path, 'extractors'], 'extractor', (at) => {
    return { named: ['name'], name: `extractor ${at + 1}` }
  })
  const ends = triggerText({ value })
  const detail = ends === undefined ? undefined : `until ${ends}`
  return item(context, path, 'phase', { named: ['name'], name: `phase ${index + 1}`, detail, children })
}

const lists = ['local_tools', 'mcp_servers', 'local_agents', 'remote_agents']

function ofAgent(context: Context): OutlineItem[] {
  const callables = lists.flatMap((list) =>
    itemsOf(context, ['action_space', list], 'callable', () => ({ named: ['alias'], detail: list })),
  )
  return [
    ...item(context, ['metadata'], 'agent', { named: ['name', 'id'] }),
    ...['input', 'output'].flatMap((side) => item(context, ['interface', side], 'interface')),
    ...item(context, ['execution_policy'], 'policy', { named: ['id'], children: delegations(context) }),
    ...callables,
  ]
}

function delegations(context: Context): OutlineItem[] {
  return ['steps', 'agents', 'routes'].flatMap((key) =>
    itemsOf(context, ['execution_policy', 'config', key], 'key', (index) => {
      return { named: ['agent'], name: `${key} ${index + 1}` }
    }),
  )
}

function ofProject(context: Context): OutlineItem[] {
  const { value } = context.reading
  return Object.entries(isRecord(value) ? value : {}).flatMap(([key, below]) => {
    const names = (key === 'targets' || key === 'presets') && isRecord(below) ? Object.keys(below) : []
    return item(context, [key], 'key', { children: names.flatMap((name) => item(context, [key, name], 'target')) })
  })
}
