/** The names of an attack: actors, phases and extractors, and the templates and indicators that use them. */
import {
  type ActorSite,
  crossActorReference,
  indicatorSites,
  isMessageReference,
  TASK,
  type Walk,
} from '@joust/oatf/vocabulary'
import { isList, isRecord, own, type Path } from '@joust/source'
import { type Context, insideQuotes } from '../context.ts'
import type { NameKind, NameSite } from './name-site.ts'

/** Every name, in no order. */
export function oatfNames(context: Context, walk: Walk): NameSite[] {
  return [
    ...walk.actors.flatMap((actor) => namesOfActor(context, actor)),
    ...indicatorActors(context, walk),
    ...walk.templates.flatMap(({ path, actor }) => namesInTemplate(context, path, actor)),
  ]
}

/** The name under which an extractor is known: its actor's and its own. */
function extractorId(actor: string | undefined, name: string): string {
  return `extractor ${actor ?? ''}.${name}`
}

function namesOfActor(context: Context, actor: ActorSite): NameSite[] {
  const own = actor.form === 'actors' ? site(context, [...actor.path, 'name'], 'actor', (name) => `actor ${name}`) : []
  const phases = actor.phases.filter(({ path }) => path !== actor.path)
  return [
    ...own,
    ...phases.flatMap(({ path }) => site(context, [...path, 'name'], 'phase', (name) => `phase ${actor.name}.${name}`)),
    ...actor.phases.flatMap(({ path, value }) => {
      const extractors = value.extractors
      return (isList(extractors) ? extractors : []).flatMap((_, index) =>
        site(context, [...path, 'extractors', index, 'name'], 'extractor', (name) => extractorId(actor.name, name)),
      )
    }),
  ]
}

function indicatorActors(context: Context, { attack, execution }: Walk): NameSite[] {
  const task = own(attack, TASK)
  const all = [
    ...indicatorSites(attack, execution),
    ...(isRecord(task) ? indicatorSites(task, execution, ['attack', TASK]) : []),
  ]
  return all.flatMap(({ path }) =>
    site(context, [...path, 'actor'], 'actor', (name) => `actor ${name}`).map((found) => ({
      ...found,
      role: 'reference' as const,
    })),
  )
}

function site(context: Context, path: Path, kind: NameKind, id: (name: string) => string): NameSite[] {
  const entry = context.entry(path)
  if (entry?.form !== 'scalar') return []
  const range = insideQuotes(context.file.text, entry.value)
  const name = context.file.text.slice(range.start, range.end)
  return [{ kind, id: id(name), name, role: 'definition', range }]
}

/** What stands between the braces of a template, with its offset in the text. */
function referencesIn(context: Context, path: Path): { readonly name: string; readonly start: number }[] {
  const entry = context.entry(path)
  if (entry === undefined) return []
  const written = context.file.text.slice(entry.value.start, entry.value.end)
  return [...written.matchAll(/(?<!\\)\{\{([^{}]*)\}\}/g)].map((match) => ({
    name: match[1] ?? '',
    start: entry.value.start + match.index + 2,
  }))
}

function namesInTemplate(context: Context, path: Path, actor: ActorSite): NameSite[] {
  return referencesIn(context, path).flatMap(({ name, start }): NameSite[] => {
    if (isMessageReference(name)) return []
    const cross = crossActorReference(name)
    const range = { start, end: start + name.length }
    if (cross === undefined)
      return [{ kind: 'extractor', id: extractorId(actor.name, name), name, role: 'reference', range }]
    const dot = start + cross.actor.length
    return [
      { kind: 'actor', id: `actor ${cross.actor}`, name: cross.actor, role: 'reference', range: { start, end: dot } },
      {
        kind: 'extractor',
        id: extractorId(cross.actor, cross.extractor),
        name: cross.extractor,
        role: 'reference',
        range: { start: dot + 1, end: range.end },
      },
    ]
  })
}
