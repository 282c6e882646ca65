/** The names of an agent file: what it may call, and the policies and path expressions that use it. */
import type { Path, Span } from '@joust/source'
import { type Context, insideQuotes } from '../context.ts'
import type { Entry } from '../text/entry.ts'
import type { NameSite } from './name-site.ts'

/** Every alias, in the order of the text. */
export function agentNames(context: Context): NameSite[] {
  return context.reading.entries.flatMap((entry) => [
    ...defined(context, entry),
    ...delegated(context, entry),
    ...sourceOf(context, entry),
  ])
}

/** Path expressions stand as values of mappings and as keys of conditions. */
export function expressionAt(context: Context, { path, key, value, form }: Entry): Span | undefined {
  if (path[0] !== 'execution_policy' && path[0] !== 'action_space') return undefined
  const above = path.at(-2)
  if (above === 'input_mapping' && form === 'scalar') return insideQuotes(context.file.text, value)
  return above === 'args_match' && key !== undefined && isAboutDelegation(path)
    ? insideQuotes(context.file.text, key)
    : undefined
}

/** What is asked before a tool is called has arguments of the tool as keys. */
function isAboutDelegation(path: Path): boolean {
  return path[0] === 'execution_policy' || path[1] === 'local_agents' || path[1] === 'remote_agents'
}

function defined(context: Context, { path, form, value }: Entry): NameSite[] {
  const [section, list, index, key] = path
  if (section !== 'action_space' || typeof index !== 'number' || key !== 'alias' || form !== 'scalar') return []
  return [named(context, value, list === 'local_agents' ? 'local agent' : 'callable', 'definition')]
}

function delegated(context: Context, { path, form, value }: Entry): NameSite[] {
  const key = path.at(-1)
  if (path[0] !== 'execution_policy' || form !== 'scalar' || path.at(-2) === 'input_mapping') return []
  const names = key === 'agent' || key === 'default_agent' || key === 'output_from'
  return names ? [named(context, value, 'local agent', 'reference')] : []
}

function sourceOf(context: Context, entry: Entry): NameSite[] {
  const span = expressionAt(context, entry)
  if (span === undefined) return []
  const dot = context.file.text.slice(span.start, span.end).indexOf('.')
  const range = { start: span.start, end: dot < 0 ? span.end : span.start + dot }
  const found = named(context, range, 'local agent', 'reference')
  return found.name === 'parent' ? [] : [found]
}

function named(context: Context, span: Span, kind: NameSite['kind'], role: NameSite['role']): NameSite {
  const range = insideQuotes(context.file.text, span)
  const name = context.file.text.slice(range.start, range.end)
  return { kind, id: `${kind} ${name}`, name, role, range }
}
