/** The parts of a file that lead to other files. */
import { isForeignPath, localAgents, resolveName } from '../agents/files.ts'
import { type Context, insideQuotes } from '../context.ts'
import type { Link } from '../model.ts'
import { textAt } from '../text/reading.ts'

/** Every link, in the order of the text. */
export function links(context: Context): Link[] {
  if (context.kind === 'agent') return agentLinks(context)
  return context.kind === 'project' ? projectLinks(context) : []
}

function agentLinks(context: Context): Link[] {
  return localAgents(context).flatMap(({ path, file }) => {
    const source = context.entry([...path, 'source'])
    return source === undefined ? [] : [{ range: insideQuotes(context.file.text, source.value), target: file }]
  })
}

/** Attacks and agents that are named one by one; globs lead nowhere in particular. */
function projectLinks(context: Context): Link[] {
  return context.reading.entries.flatMap(({ path, form, value }): Link[] => {
    const isFile =
      path[0] === 'attacks' ||
      (path[0] === 'targets' && path.length === 3 && /^(?:agent|module)$/.test(String(path[2])))
    const text = isFile && form === 'scalar' ? textAt(context.reading.value, path) : undefined
    if (text === undefined || /[*?{}]/.test(text) || isForeignPath(text) || !/\.\w+$/.test(text)) return []
    return [{ range: insideQuotes(context.file.text, value), target: resolveName(context.file.name, text) }]
  })
}
