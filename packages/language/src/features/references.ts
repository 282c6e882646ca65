/** Where the thing under the cursor is used. */
import type { Context } from '../context.ts'
import { fieldAt, fieldUses } from '../documents/agent-fields.ts'
import { localAgents, openAgent, sourceAt } from '../documents/agent-files.ts'
import { isSameName, nameAt, namesOf } from '../documents/names.ts'
import type { FileSpan } from '../model.ts'
import { contains } from '../text/entry.ts'

/** Every place that names it, including its definition; an agent is used by the files that lead to it, its fields by these and itself. */
export async function references(context: Context, offset: number): Promise<FileSpan[]> {
  const names = namesOf(context)
  const found = nameAt(names, offset)
  if (found !== undefined)
    return names.filter((one) => isSameName(one, found)).map(({ range }) => ({ name: context.file.name, ...range }))
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
