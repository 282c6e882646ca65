import { walkValue } from '@joust/oatf/vocabulary'
import type { Context } from '../context.ts'
import { insideQuotes } from '../context.ts'
import { agentNames } from './agent-names.ts'
import type { NameSite } from './name-site.ts'
import { oatfNames } from './oatf-names.ts'

/** Every name of a file. */
export function namesOf(context: Context): NameSite[] {
  if (context.kind === 'oatf') return oatfNames(context, walkValue(context.reading.value))
  if (context.kind === 'agent') return agentNames(context)
  return context.kind === 'project' ? projectNames(context) : []
}

/** The name at an offset. */
export function nameAt(names: readonly NameSite[], offset: number): NameSite | undefined {
  return names.find(({ range }) => range.start <= offset && offset <= range.end)
}

/** Targets and presets have their names as keys; a target may name a preset. */
function projectNames(context: Context): NameSite[] {
  const { text } = context.file
  return context.reading.entries.flatMap(({ path, key, value, form }): NameSite[] => {
    const [section, name, field] = path
    if (path.length === 2 && key !== undefined && (section === 'targets' || section === 'presets')) {
      const kind = section === 'targets' ? 'target' : 'preset'
      return [{ kind, id: `${kind} ${name}`, name: String(name), role: 'definition', range: insideQuotes(text, key) }]
    }
    if (path.length !== 3 || section !== 'targets' || field !== 'preset' || form !== 'scalar') return []
    const range = insideQuotes(text, value)
    const used = text.slice(range.start, range.end)
    return [{ kind: 'preset', id: `preset ${used}`, name: used, role: 'reference', range }]
  })
}
