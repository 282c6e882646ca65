/** Where the thing under the cursor is defined, and where it is used. */
import { BAIT, parsePath } from '@joust/oatf/vocabulary'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import { declarationOf, fieldAt, fieldUses } from '../documents/agent-fields.ts'
import { agentIdentity, localAgents, openAgent, openLocalAgent, sourceAt } from '../documents/agent-files.ts'
import { nameAt } from '../documents/names.ts'
import type { FileSpan } from '../model.ts'
import { contains } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { links } from './links.ts'

/** Every place that defines it; the alias of an agent leads to its file, too. */
export async function definition(context: Context, offset: number): Promise<FileSpan[]> {
  const found = nameAt(context, offset)
  if (found === undefined) return otherDefinition(context, offset)
  const here = found.same
    .filter(({ role }) => role === 'definition')
    .map(({ range }) => ({ name: context.file.name, ...range }))
  if (found.kind !== 'local agent') return here
  const file = await openLocalAgent(context, found.name)
  return file === undefined ? here : [...here, agentIdentity(file)]
}

async function otherDefinition(context: Context, offset: number): Promise<FileSpan[]> {
  if (context.kind === 'oatf') return baitAt(context, offset)
  if (context.kind === 'project') return linkAt(context, offset)
  if (context.kind !== 'agent') return []
  const source = sourceAt(context, offset)
  const file = source === undefined ? undefined : await openAgent(context, source)
  if (file !== undefined) return [agentIdentity(file)]
  const field = await fieldAt(context, offset)
  const declared = field === undefined ? undefined : declarationOf(field)
  if (field === undefined || declared === undefined) return []
  const { name, text } = field.owner.file
  return [{ name, ...insideQuotes(text, declared.key ?? declared.value) }]
}

/** An attack or an agent that a project file names. */
async function linkAt(context: Context, offset: number): Promise<FileSpan[]> {
  const link = links(context).find(({ range }) => contains(range, offset))
  const file = link === undefined ? undefined : await openAgent(context, link.target)
  return file === undefined ? [] : [agentIdentity(file)]
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

/** Every place that names it, its definition included; for an agent or its fields, also in files that lead to it. */
export async function references(context: Context, offset: number): Promise<FileSpan[]> {
  const found = nameAt(context, offset)
  if (found !== undefined) return found.same.map(({ range }) => ({ name: context.file.name, ...range }))
  if (context.kind !== 'agent') return []
  const agent = isIdentity(context, offset) ? context.file.name : sourceAt(context, offset)
  if (agent !== undefined) return usersOf(context, agent)
  const field = await fieldAt(context, offset)
  return field === undefined ? [] : fieldUses(context, field)
}

function isIdentity(context: Context, offset: number): boolean {
  return ['id', 'name'].some((key) => {
    const value = context.entry(['metadata', key])?.value
    return value !== undefined && contains(value, offset)
  })
}

async function usersOf(context: Context, agent: string): Promise<FileSpan[]> {
  const names = (await context.options.list?.()) ?? []
  const found: FileSpan[] = []
  for (const name of names) {
    const other = await openAgent(context, name)
    if (other?.kind !== 'agent') continue
    for (const { source, file } of localAgents(other)) if (file === agent && source) found.push({ name, ...source })
  }
  return found
}
