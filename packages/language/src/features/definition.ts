/** Where the thing under the cursor is defined. */
import { parsePathExpression } from '@joust/agentformat'
import { BAIT, parsePath } from '@joust/oatf/vocabulary'
import type { Span } from '@joust/source'
import { identityOf, localAgents, openAgent, openLocalAgent, propertyPath } from '../agents/files.ts'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import type { FileSpan } from '../model.ts'
import { expressionAt } from '../names/agent-names.ts'
import { nameAt, namesOf } from '../names/names.ts'
import { textAt } from '../text/reading.ts'

/** Every place that defines it; the alias of an agent leads to its file, too. */
export async function definition(context: Context, offset: number): Promise<FileSpan[]> {
  const names = namesOf(context)
  const found = nameAt(names, offset)
  if (found === undefined) return otherDefinition(context, offset)
  const here = names
    .filter(({ id, role }) => id === found.id && role === 'definition')
    .map(({ range }) => ({ name: context.file.name, ...range }))
  if (found.kind !== 'local agent') return here
  const file = await openLocalAgent(context, found.name)
  return file === undefined ? here : [...here, identityOf(file)]
}

async function otherDefinition(context: Context, offset: number): Promise<FileSpan[]> {
  if (context.kind === 'oatf') return baitAt(context, offset)
  return context.kind === 'agent' ? [...(await sourceAt(context, offset)), ...(await fieldAt(context, offset))] : []
}

/** A bait is named by its path. */
function baitAt(context: Context, offset: number): FileSpan[] {
  const bait = context.reading.entries.find(
    ({ path, value }) => path[1] === BAIT && path.length === 3 && isIn(value, offset),
  )
  const text = bait === undefined ? undefined : textAt(context.reading.value, bait.path)
  const path = text === undefined ? undefined : parsePath(text)
  const extent = path === undefined ? undefined : extentOf(context, path)
  return extent === undefined ? [] : [{ name: context.file.name, ...extent }]
}

async function sourceAt(context: Context, offset: number): Promise<FileSpan[]> {
  const agent = localAgents(context).find(({ path }) => {
    const source = context.entry([...path, 'source'])
    return source !== undefined && isIn(source.value, offset)
  })
  const file = agent === undefined ? undefined : await openAgent(context, agent.file)
  return file === undefined ? [] : [identityOf(file)]
}

/** `alias.output.field` leads to the field in the schema of that agent. */
async function fieldAt(context: Context, offset: number): Promise<FileSpan[]> {
  for (const entry of context.reading.entries) {
    const span = expressionAt(context, entry)
    if (span === undefined || !isIn(span, offset)) continue
    const upTo = context.file.text.slice(span.start, offset) + (/^\w*/.exec(context.file.text.slice(offset))?.[0] ?? '')
    const read = parsePathExpression(upTo)
    if (!read.ok) return []
    const { source, direction, segments } = read.value
    const owner = source === 'parent' ? context : await openLocalAgent(context, source)
    const property = owner?.entry(propertyPath(direction, segments))
    if (owner === undefined || property === undefined) return []
    return [{ name: owner.file.name, ...insideQuotes(owner.file.text, property.key ?? property.value) }]
  }
  return []
}

function isIn({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end
}
