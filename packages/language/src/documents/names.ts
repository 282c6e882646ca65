/** Names in a document: their definitions and references. */
import { outputStrategies } from '@joust/agentformat'
import { type ActorSite, crossActorReference, isMessageReference, type Walk, walkValue } from '@joust/oatf/vocabulary'
import { type Path, type Span, valueAt } from '@joust/source'
import { type Context, insideQuotes } from '../context.ts'
import { contains, type Entry } from '../text/entry.ts'
import { itemsAt } from '../text/reading.ts'
import { expressionAt } from './agent-files.ts'
import { indicatorsOf } from './attack-parts.ts'

export type NameKind = 'actor' | 'phase' | 'extractor' | 'local agent' | 'callable' | 'target' | 'preset'

/** A definition of a name, or a reference to it. */
export interface NameSite {
  readonly kind: NameKind
  readonly name: string
  /** The actor of a phase or extractor; empty for other names. */
  readonly scope: string
  readonly role: 'definition' | 'reference'
  readonly range: Span
}

export function namesOf(context: Context): NameSite[] {
  if (context.kind === 'oatf') return attackNames(context, walkValue(context.reading.value))
  if (context.kind === 'agent') return context.reading.entries.flatMap((entry) => agentNames(context, entry))
  return context.kind === 'project' ? context.reading.entries.flatMap((entry) => projectNames(context, entry)) : []
}

/** An occurrence of a name, with all definitions and references of that name, including this one. */
export interface Named extends NameSite {
  readonly same: readonly NameSite[]
}

export function nameAt(context: Context, offset: number): Named | undefined {
  const names = namesOf(context)
  const name = names.find(({ range }) => contains(range, offset))
  return name && { ...name, same: names.filter((other) => isSameName(other, name)) }
}

export function isSameName(a: NameSite, b: NameSite): boolean {
  return a.kind === b.kind && a.scope === b.scope && a.name === b.name
}

function site(
  { file }: Context,
  span: Span,
  kind: NameKind,
  role: NameSite['role'] = 'reference',
  scope = '',
): NameSite {
  const range = insideQuotes(file.text, span)
  return { kind, name: file.text.slice(range.start, range.end), scope, role, range }
}

function attackNames(context: Context, walk: Walk): NameSite[] {
  return [
    ...walk.actors.flatMap((actor) => namesOfActor(context, actor)),
    ...indicatorsOf(walk).flatMap(({ path }) => nameOf(context, [...path, 'actor'], 'actor', 'reference')),
    ...walk.templates.flatMap(({ path, actor }) => namesInTemplate(context, path, actor)),
  ]
}

function namesOfActor(context: Context, { path, form, phases, name = '' }: ActorSite): NameSite[] {
  const own = form === 'actors' ? nameOf(context, [...path, 'name'], 'actor', 'definition') : []
  const below = phases.flatMap((phase) => [
    ...(phase.path === path ? [] : nameOf(context, [...phase.path, 'name'], 'phase', 'definition', name)),
    ...itemsAt(phase.value, ['extractors']).flatMap((_, index) =>
      nameOf(context, [...phase.path, 'extractors', index, 'name'], 'extractor', 'definition', name),
    ),
  ])
  return [...own, ...below]
}

function nameOf(context: Context, path: Path, kind: NameKind, role: NameSite['role'], scope?: string): NameSite[] {
  const entry = context.entry(path)
  return entry?.form === 'scalar' ? [site(context, entry.value, kind, role, scope)] : []
}

function namesInTemplate(context: Context, path: Path, { name: own = '' }: ActorSite): NameSite[] {
  const { start, end } = context.entry(path)?.value ?? { start: 0, end: 0 }
  const text = context.file.text.slice(start, end)
  return [...text.matchAll(/(?<!\\)\{\{([^{}]*)\}\}/g)].flatMap(({ index, 1: name = '' }): NameSite[] => {
    if (isMessageReference(name)) return []
    const from = start + index + 2
    const cross = crossActorReference(name)
    const range = { start: from, end: from + name.length }
    if (cross === undefined) return [site(context, range, 'extractor', 'reference', own)]
    const dot = from + cross.actor.length
    return [
      site(context, { start: from, end: dot }, 'actor'),
      site(context, { start: dot + 1, end: range.end }, 'extractor', 'reference', cross.actor),
    ]
  })
}

function agentNames(context: Context, entry: Entry): NameSite[] {
  const { path, form, value } = entry
  const [section, list, index, field] = path
  const key = path.at(-1)
  if (section === 'action_space' && typeof index === 'number' && field === 'alias' && form === 'scalar')
    return [site(context, value, list === 'local_agents' ? 'local agent' : 'callable', 'definition')]
  const expression = expressionAt(context, entry)
  if (expression !== undefined) {
    const dot = context.file.text.slice(expression.start, expression.end).indexOf('.')
    const end = dot < 0 ? expression.end : expression.start + dot
    return [site(context, { ...expression, end }, 'local agent')].filter(({ name }) => name !== 'parent')
  }
  const delegates = key === 'agent' || key === 'default_agent' || key === 'output_from'
  if (section !== 'execution_policy' || !delegates || form !== 'scalar') return []
  const reference = site(context, value, 'local agent')
  // A strategy takes precedence over an alias of the same name.
  return key === 'output_from' && outputStrategies.some((name) => name === reference.name) ? [] : [reference]
}

function projectNames(context: Context, { path, key, value, form }: Entry): NameSite[] {
  const [section] = path
  if (path.length === 2 && key !== undefined && (section === 'targets' || section === 'presets'))
    return [site(context, key, section === 'targets' ? 'target' : 'preset', 'definition')]
  if (!isCommand(path) || form !== 'scalar') return []
  const reference = site(context, value, 'preset')
  return valueAt(context.reading.value, ['presets', reference.name]) === undefined ? [] : [reference]
}

/** True for the path of a target's command, which may be a preset name. */
export function isCommand([section, , field, ...below]: Path): boolean {
  return section === 'targets' && (field === 'exec' || field === 'acp') && below.length === 0
}
