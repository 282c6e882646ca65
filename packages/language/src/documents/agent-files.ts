/** References between agent files. */
import { loadAgent } from '@joust/agentformat'
import { isRecord, ownText, type Path, type Span, type ValueRecord, valueAt } from '@joust/source'
import { type Context, insideQuotes, openContext } from '../context.ts'
import type { FileSpan } from '../model.ts'
import { contains, type Entry } from '../text/entry.ts'
import { itemsAt } from '../text/reading.ts'

export function loadGraph({ file, options }: Context): ReturnType<typeof loadAgent> {
  return loadAgent(file.name, {
    read: async ({ source, from }) => {
      const text = from === undefined ? file.text : await options.read?.(resolveName(from, source))
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
}

export function resolveName(from: string, source: string): string {
  const steps = from.split('/').slice(0, -1)
  for (const step of source.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.at(-1) === undefined || steps.at(-1) === '..') steps.push(step)
    else steps.pop()
  }
  return steps.join('/')
}

export function relativeName(from: string, to: string): string {
  const here = from.split('/').slice(0, -1)
  const there = to.split('/')
  let same = 0
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) same++
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/')
}

/** Returns the other agent files, as relative paths. */
export async function agentFiles({ options, file }: Context): Promise<string[]> {
  const names = (await options.list?.()) ?? []
  const others = names.filter((name) => /\.agf\.(?:ya?ml|json)$/.test(name) && name !== file.name)
  return others.map((name) => relativeName(file.name, name))
}

interface LocalAgent {
  readonly alias: string
  readonly file: string
  /** The range of the file name; undefined inside a YAML alias. */
  readonly source: Span | undefined
}

/** Returns the local agents whose `source` is a file. */
export function localAgents({ reading, file, entry }: Context): LocalAgent[] {
  return itemsAt(reading.value, ['action_space', 'local_agents']).flatMap((agent, index) => {
    const source = ownText(agent, 'source')
    const type = ownText(agent, 'source_type') ?? 'file'
    if (source === undefined || type !== 'file' || isForeignPath(source)) return []
    const alias = ownText(agent, 'alias') ?? ''
    const range = entry(['action_space', 'local_agents', index, 'source'])?.value
    const span = range === undefined ? undefined : insideQuotes(file.text, range)
    return [{ alias, file: resolveName(file.name, source), source: span }]
  })
}

/** Returns the file that the `source` at an offset refers to. */
export function sourceAt(context: Context, offset: number): string | undefined {
  return localAgents(context).find(({ source }) => source !== undefined && contains(source, offset))?.file
}

/** True for an empty or absolute path or a URL, which is outside the agent graph. */
export function isForeignPath(source: string): boolean {
  return source === '' || source.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)
}

export async function openAgent(context: Context, name: string): Promise<Context | undefined> {
  const text = await context.options.read?.(name)
  return text === undefined ? undefined : openContext({ name, text }, context.options)
}

export async function openLocalAgent(context: Context, alias: string): Promise<Context | undefined> {
  const agent = localAgents(context).find((candidate) => candidate.alias === alias)
  return agent === undefined ? undefined : openAgent(context, agent.file)
}

/** Returns the input or output schema of an agent; empty if missing. */
export function interfaceSchema(agent: Context | undefined, direction: 'input' | 'output'): ValueRecord {
  const schema = valueAt(agent?.reading.value ?? null, ['interface', direction])
  return isRecord(schema) ? schema : {}
}

/** Returns the path of a field in the schema that declares it directly. */
export function propertyPath(segments: readonly string[]): Path {
  return segments.flatMap((segment) => (segment === '[]' ? ['items'] : ['properties', segment]))
}

/** Returns the range of an entry's path expression, in a mapping value or a condition key. */
export function expressionAt({ file }: Context, { path, key, value, form }: Entry): Span | undefined {
  if (form === 'scalar' && isMapped(path)) return insideQuotes(file.text, value)
  return key !== undefined && isCondition(path.slice(0, -1)) ? insideQuotes(file.text, key) : undefined
}

export function isMapped(path: Path): boolean {
  return path[0] === 'execution_policy' && path.at(-2) === 'input_mapping'
}

/** True for a mapping whose keys are path expressions. In tool approvals, the keys are arguments. */
export function isCondition(path: Path): boolean {
  const [section, list] = path
  const delegates = section === 'execution_policy' || list === 'local_agents' || list === 'remote_agents'
  return delegates && path.at(-1) === 'args_match'
}

/** Returns the range that represents a file: the agent's id or name, or the start of the file. */
export function agentIdentity(context: Context): FileSpan {
  const entry = context.entry(['metadata', 'id']) ?? context.entry(['metadata', 'name'])
  const span = entry === undefined ? { start: 0, end: 0 } : insideQuotes(context.file.text, entry.value)
  return { name: context.file.name, ...span }
}
