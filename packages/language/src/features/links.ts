/** Links from a file to other files. */
import { type Context, insideQuotes } from '../context.ts'
import { isForeignPath, localAgents, resolveName } from '../documents/agent-files.ts'
import type { Link } from '../model.ts'
import { textAt } from '../text/reading.ts'

export function links(context: Context): Link[] {
  if (context.kind === 'agent')
    return localAgents(context).flatMap(({ source, file }) => (source ? [{ range: source, target: file }] : []))
  return context.kind === 'project' ? projectLinks(context) : []
}

/** Finds the links in a project file. Globs are not links. */
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
