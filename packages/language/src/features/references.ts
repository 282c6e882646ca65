/** Where the thing under the cursor is used. */
import { localAgents, openAgent } from '../agents/files.ts'
import { type Context, insideQuotes } from '../context.ts'
import type { FileSpan } from '../model.ts'
import { nameAt, namesOf } from '../names/names.ts'

/** Every place that names it, where it is defined included; an agent's own id is used by the files that lead to it. */
export async function references(context: Context, offset: number): Promise<FileSpan[]> {
  const names = namesOf(context)
  const found = nameAt(names, offset)
  if (found !== undefined)
    return names.filter(({ id }) => id === found.id).map(({ range }) => ({ name: context.file.name, ...range }))
  return isIdentity(context, offset) ? usersOf(context) : []
}

function isIdentity(context: Context, offset: number): boolean {
  return ['id', 'name'].some((key) => {
    const value = context.kind === 'agent' ? context.entry(['metadata', key])?.value : undefined
    return value !== undefined && value.start <= offset && offset <= value.end
  })
}

async function usersOf(context: Context): Promise<FileSpan[]> {
  const names = (await context.options.list?.()) ?? []
  const found: FileSpan[] = []
  for (const name of names) {
    const other = await openAgent(context, name)
    if (other?.kind !== 'agent') continue
    for (const { path, file } of localAgents(other)) {
      const source = other.entry([...path, 'source'])
      if (file === context.file.name && source !== undefined)
        found.push({ name, ...insideQuotes(other.file.text, source.value) })
    }
  }
  return found
}
