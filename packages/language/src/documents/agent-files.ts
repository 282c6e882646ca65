/** Agent files that lead to each other: which file a reference means, and what is in it. */
import { loadAgent } from '@joust/agentformat'
import { isRecord, ownText, type Path, type Span, type ValueRecord, valueAt } from '@joust/source'
import { type Context, insideQuotes, openContext } from '../context.ts'
import type { FileSpan } from '../model.ts'
import { contains, type Entry } from '../text/entry.ts'
import { itemsAt } from '../text/reading.ts'

/** Loads an agent with everything that it leads to. */
export function loadGraph({ file, options }: Context): ReturnType<typeof loadAgent> {
  return loadAgent(file.name, {
    read: async ({ source, from }) => {
      const text = from === undefined ? file.text : await options.read?.(resolveName(from, source))
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
}

/** The name of a file that another one names by a relative path. */
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

/** A relative path from one file to another. */
export function relativeName(from: string, to: string): string {
  const here = from.split('/').slice(0, -1)
  const there = to.split('/')
  let same = 0
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) same++
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/')
}

/** The other agent files, as this one would name them. */
export async function agentFiles({ options, file }: Context): Promise<string[]> {
  const names = (await options.list?.()) ?? []
  const others = names.filter((name) => /\.agf\.(?:ya?ml|json)$/.test(name) && name !== file.name)
  return others.map((name) => relativeName(file.name, name))
}

/** A local agent of a file: its alias and its file. */
interface LocalAgent {
  readonly alias: string
  readonly file: string
  /** Where the file is named; behind a YAML alias it has no place of its own. */
  readonly source: Span | undefined
}

/** The local agents that are files. */
export function localAgents({ reading, file, entry }: Context): LocalAgent[] {
  return itemsAt(reading.value, ['action_space', 'local_agents']).flatMap((agent, index) => {
    const source = ownText(agent, 'source')
    const type = ownText(agent, 'source_type') ?? 'file'
    if (source === undefined || type !== 'file' || isForeignPath(source)) return []
    const alias = ownText(agent, 'alias') ?? ''
    const named = entry(['action_space', 'local_agents', index, 'source'])?.value
    const span = named === undefined ? undefined : insideQuotes(file.text, named)
    return [{ alias, file: resolveName(file.name, source), source: span }]
  })
}

/** The file that is named at an offset. */
export function sourceAt(context: Context, offset: number): string | undefined {
  return localAgents(context).find(({ source }) => source !== undefined && contains(source, offset))?.file
}

/** Absolute paths and addresses are not files of a graph. */
export function isForeignPath(source: string): boolean {
  return source === '' || source.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)
}

/** Another file, when it can be read. */
export async function openAgent(context: Context, name: string): Promise<Context | undefined> {
  const text = await context.options.read?.(name)
  return text === undefined ? undefined : openContext({ name, text }, context.options)
}

/** The file of a local agent by its alias. */
export async function openLocalAgent(context: Context, alias: string): Promise<Context | undefined> {
  const found = localAgents(context).find((agent) => agent.alias === alias)
  return found === undefined ? undefined : openAgent(context, found.file)
}

/** The schema of one side of an agent's interface; empty where there is none. */
export function interfaceSchema(agent: Context | undefined, direction: 'input' | 'output'): ValueRecord {
  const schema = valueAt(agent?.reading.value ?? null, ['interface', direction])
  return isRecord(schema) ? schema : {}
}

/** The path to a field below its schema, where the schema declares it directly. */
export function propertyPath(segments: readonly string[]): Path {
  return segments.flatMap((segment) => (segment === '[]' ? ['items'] : ['properties', segment]))
}

/** The path expression of an entry: the value of a mapping, or the key of a condition. */
export function expressionAt({ file }: Context, { path, key, value, form }: Entry): Span | undefined {
  if (form === 'scalar' && isMapped(path)) return insideQuotes(file.text, value)
  return key !== undefined && isCondition(path.slice(0, -1)) ? insideQuotes(file.text, key) : undefined
}

/** Whether a path leads to a field of a mapping. */
export function isMapped(path: Path): boolean {
  return path[0] === 'execution_policy' && path.at(-2) === 'input_mapping'
}

/** Whether the keys of a mapping are path expressions; in the approval of a tool they are arguments. */
export function isCondition(path: Path): boolean {
  const [section, list] = path
  const delegates = section === 'execution_policy' || list === 'local_agents' || list === 'remote_agents'
  return delegates && path.at(-1) === 'args_match'
}

/** The stretch by which a file is known: of an agent its id, of others their beginning. */
export function agentIdentity(context: Context): FileSpan {
  const entry = context.entry(['metadata', 'id']) ?? context.entry(['metadata', 'name'])
  const span = entry === undefined ? { start: 0, end: 0 } : insideQuotes(context.file.text, entry.value)
  return { name: context.file.name, ...span }
}
