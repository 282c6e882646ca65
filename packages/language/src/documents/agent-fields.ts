/** Fields of agent interfaces: declarations, and uses in path expressions and mappings in any file. */
import { type PathExpression, parsePathExpression } from '@joust/agentformat'
import type { Path, Span } from '@joust/source'
import { type Context, insideQuotes } from '../context.ts'
import type { FileSpan } from '../model.ts'
import { contains, type Entry, startsWith } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { expressionAt, isMapped, localAgents, openAgent, openLocalAgent, propertyPath } from './agent-files.ts'

interface AgentField extends Pick<PathExpression, 'direction' | 'segments'> {
  readonly owner: Context
}

/** Returns the field at an offset, in a path expression, a mapping key or a schema. */
export async function fieldAt(context: Context, offset: number): Promise<AgentField | undefined> {
  for (const entry of context.reading.entries) {
    const span = expressionAt(context, entry)
    if (span !== undefined && contains(span, offset)) return fieldInExpression(context, span, offset)
    if (entry.key !== undefined && contains(entry.key, offset)) return fieldOfKey(context, entry.path)
  }
  return undefined
}

/** Returns the declaration of a field, if the schema declares it directly. */
export function declarationOf({ owner, direction, segments }: AgentField): Entry | undefined {
  return owner.entry(['interface', direction, ...propertyPath(segments)])
}

async function fieldInExpression(context: Context, span: Span, offset: number): Promise<AgentField | undefined> {
  const { text } = context.file
  const read = parsePathExpression(text.slice(span.start, offset) + (/^\w*/.exec(text.slice(offset))?.[0] ?? ''))
  if (!read.ok) return undefined
  const { source, direction, segments } = read.value
  const owner = source === 'parent' ? context : await openLocalAgent(context, source)
  return owner === undefined ? undefined : { owner, direction, segments }
}

async function fieldOfKey(context: Context, path: Path): Promise<AgentField | undefined> {
  if (isMapped(path)) {
    const owner = await openLocalAgent(context, mappedAgent(context, path))
    return owner === undefined ? undefined : { owner, direction: 'input', segments: [String(path.at(-1))] }
  }
  const [section, direction, ...below] = path
  if (section !== 'interface' || (direction !== 'input' && direction !== 'output')) return undefined
  const segments = below.flatMap((step, index) =>
    below[index - 1] === 'properties' ? [String(step)] : step === 'items' ? ['[]'] : [],
  )
  const isField = below.at(-2) === 'properties' && startsWith(propertyPath(segments), below)
  return isField ? { owner: context, direction, segments } : undefined
}

function mappedAgent({ reading }: Context, path: Path): string {
  return textAt(reading.value, [...path.slice(0, -2), 'agent']) ?? ''
}

export async function fieldUses(context: Context, field: AgentField): Promise<FileSpan[]> {
  const { owner } = field
  const key = declarationOf(field)?.key
  const uses = key === undefined ? [] : [{ name: owner.file.name, ...insideQuotes(owner.file.text, key) }]
  const names = [owner.file.name, context.file.name, ...((await context.options.list?.()) ?? [])]
  for (const name of new Set(names)) {
    const other = [owner, context].find(({ file }) => file.name === name) ?? (await openAgent(context, name))
    if (other?.kind !== 'agent') continue
    const aliases = localAgents(other).flatMap(({ file, alias }) => (file === owner.file.name ? [alias] : []))
    if (name === owner.file.name) aliases.push('parent')
    uses.push(...usesIn(other, field, aliases).map((span) => ({ name, ...span })))
  }
  return uses
}

function usesIn(context: Context, { direction, segments }: AgentField, aliases: readonly string[]): Span[] {
  return context.reading.entries.flatMap((entry): Span[] => {
    const { path, key } = entry
    const span = expressionAt(context, entry)
    const read = span === undefined ? undefined : parsePathExpression(context.file.text.slice(span.start, span.end))
    const isRead =
      read?.ok &&
      aliases.includes(read.value.source) &&
      read.value.direction === direction &&
      startsWith(read.value.segments, segments)
    const isMapping = direction === 'input' && isMapped(path) && segments.length === 1 && path.at(-1) === segments[0]
    const mapped = isMapping && aliases.includes(mappedAgent(context, path)) ? key : undefined
    return [
      ...(mapped === undefined ? [] : [insideQuotes(context.file.text, mapped)]),
      ...(isRead && span !== undefined ? [segmentRange(span, read.value, segments.length)] : []),
    ]
  })
}

/** Returns the range of a segment in an expression; segments are numbered from 1. */
function segmentRange({ start }: Span, { source, direction, segments }: PathExpression, count: number): Span {
  const end = start + [source, direction, ...segments.slice(0, count)].join('.').length
  return { start: end - (segments[count - 1]?.length ?? 0), end }
}
