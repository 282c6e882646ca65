/** The definitions and references of the symbol at the cursor. */
import { BAIT, PLACEBO } from '@joust/oatf/vocabulary'
import { parsePath } from '@joust/source'
import { type Context, extentOf, insideQuotes } from '../context.ts'
import { declarationOf, fieldAt, fieldUses } from '../documents/agent-fields.ts'
import { agentIdentity, localAgents, openAgent, openLocalAgent, sourceAt } from '../documents/agent-files.ts'
import { nameAt } from '../documents/names.ts'
import type { FileSpan } from '../model.ts'
import { contains } from '../text/entry.ts'
import { textAt } from '../text/reading.ts'
import { links } from './links.ts'

/** Returns all definitions and, for an agent alias, also the agent's file. */
export async function definition(context: Context, offset: number): Promise<FileSpan[]> {
  const symbol = nameAt(context, offset)
  if (symbol === undefined) return otherDefinition(context, offset)
  const here = symbol.same
    .filter(({ role }) => role === 'definition')
    .map(({ range }) => ({ name: context.file.name, ...range }))
  if (symbol.kind !== 'local agent') return here
  const file = await openLocalAgent(context, symbol.name)
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
  const declaration = field === undefined ? undefined : declarationOf(field)
  if (field === undefined || declaration === undefined) return []
  const { name, text } = field.owner.file
  return [{ name, ...insideQuotes(text, declaration.key ?? declaration.value) }]
}

async function linkAt(context: Context, offset: number): Promise<FileSpan[]> {
  const link = links(context).find(({ range }) => contains(range, offset))
  const file = link === undefined ? undefined : await openAgent(context, link.target)
  return file === undefined ? [] : [agentIdentity(file)]
}

function baitAt(context: Context, offset: number): FileSpan[] {
  const entry = context.reading.entries.find(({ path, key, value }) => {
    if (path.length !== 3) return false
    return path[1] === BAIT
      ? contains(value, offset)
      : path[1] === PLACEBO && key !== undefined && contains(key, offset)
  })
  const name = entry?.path.at(-1)
  const text = typeof name === 'number' && entry ? textAt(context.reading.value, entry.path) : name
  const path = typeof text === 'string' ? parsePath(text) : undefined
  const extent = path === undefined ? undefined : extentOf(context, path)
  return extent === undefined ? [] : [{ name: context.file.name, ...extent }]
}

/** Returns all references, including the definition. For an agent or its fields, also those in other files. */
export async function references(context: Context, offset: number): Promise<FileSpan[]> {
  const symbol = nameAt(context, offset)
  if (symbol !== undefined) return symbol.same.map(({ range }) => ({ name: context.file.name, ...range }))
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
  const users: FileSpan[] = []
  for (const name of names) {
    const other = await openAgent(context, name)
    if (other?.kind !== 'agent') continue
    for (const { source, file } of localAgents(other)) if (file === agent && source) users.push({ name, ...source })
  }
  return users
}
