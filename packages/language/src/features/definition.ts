/** Where the thing under the cursor is defined. */
import { parsePathExpression } from '@joust/agentformat'
import { BAIT, parsePath } from '@joust/oatf/vocabulary'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import {
  expressionAt,
  identityOf,
  openAgent,
  openLocalAgent,
  propertyPath,
  sourceAt,
} from '../documents/agent-files.ts'
import { isSameName, nameAt, namesOf } from '../documents/names.ts'
import type { FileSpan } from '../model.ts'
import { contains } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'

/** Every place that defines it; the alias of an agent leads to its file, too. */
export async function definition(context: Context, offset: number): Promise<FileSpan[]> {
  const names = namesOf(context)
  const found = nameAt(names, offset)
  if (found === undefined) return otherDefinition(context, offset)
  const here = names
    .filter((one) => one.role === 'definition' && isSameName(one, found))
    .map(({ range }) => ({ name: context.file.name, ...range }))
  if (found.kind !== 'local agent') return here
  const file = await openLocalAgent(context, found.name)
  return file === undefined ? here : [...here, identityOf(file)]
}

async function otherDefinition(context: Context, offset: number): Promise<FileSpan[]> {
  if (context.kind === 'oatf') return baitAt(context, offset)
  if (context.kind !== 'agent') return []
  const source = sourceAt(context, offset)
  const file = source === undefined ? undefined : await openAgent(context, source)
  return file === undefined ? fieldAt(context, offset) : [identityOf(file)]
}

/** A bait is named by its path. */
function baitAt(context: Context, offset: number): FileSpan[] {
  const bait = context.reading.entries.find(
    ({ path, value }) => path[1] === BAIT && path.length === 3 && contains(value, offset),
  )
  const text = bait === undefined ? undefined : textAt(context.reading.value, bait.path)
  const path = text === undefined ? undefined : parsePath(text)
  const extent = path === undefined ? undefined : extentOf(context, path)
  return extent === undefined ? [] : [{ name: context.file.name, ...extent }]
}

/** `alias.output.field` leads to the field in the schema of that agent. */
async function fieldAt(context: Context, offset: number): Promise<FileSpan[]> {
  for (const entry of context.reading.entries) {
    const span = expressionAt(context, entry)
    if (span === undefined || !contains(span, offset)) continue
    const upTo = context.file.text.slice(span.start, offset) + (/^\w*/.exec(context.file.text.slice(offset))?.[0] ?? '')
    const read = parsePathExpression(upTo)
    if (!read.ok) return []
    const { source, direction, segments } = read.value
    const owner = source === 'parent' ? context : await openLocalAgent(context, source)
    const property = owner?.entry(['interface', direction, ...propertyPath(segments)])
    if (owner === undefined || property === undefined) return []
    return [{ name: owner.file.name, ...insideQuotes(owner.file.text, property.key ?? property.value) }]
  }
  return []
}
