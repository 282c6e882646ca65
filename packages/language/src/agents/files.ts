/** Agent files that lead to each other: which file a reference means, and what stands in it. */
import { isRecord, type Path, type ValueRecord } from '@joust/source'
import { type Context, insideQuotes, openContext } from '../context.ts'
import { textAt, valueAt } from '../text/reading.ts'

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

/** A local agent of a file: its alias and the file that it stands in. */
interface LocalAgent {
  readonly alias: string
  /** Where the reference stands. */
  readonly path: Path
  readonly file: string
}

/** The local agents that are files. */
export function localAgents({ reading, file }: Pick<Context, 'reading' | 'file'>): LocalAgent[] {
  const list = valueAt(reading.value, ['action_space', 'local_agents'])
  return (Array.isArray(list) ? [...list.keys()] : []).flatMap((index) => {
    const path: Path = ['action_space', 'local_agents', index]
    const source = textAt(reading.value, [...path, 'source'])
    const type = textAt(reading.value, [...path, 'source_type']) ?? 'file'
    if (source === undefined || type !== 'file' || isForeignPath(source)) return []
    const alias = textAt(reading.value, [...path, 'alias']) ?? ''
    return [{ alias, path, file: resolveName(file.name, source) }]
  })
}

/** Absolute paths and addresses are not files of a graph. */
export function isForeignPath(source: string): boolean {
  return source === '' || source.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)
}

/** Another agent file, when it can be read. */
export async function openAgent(context: Context, name: string): Promise<Context | undefined> {
  const text = await context.options.read?.(name)
  return text === undefined ? undefined : openContext({ name, text }, context.options)
}

/** The file of a local agent by its alias. */
export async function openLocalAgent(context: Context, alias: string): Promise<Context | undefined> {
  const found = localAgents(context).find((agent) => agent.alias === alias)
  return found === undefined ? undefined : openAgent(context, found.file)
}

/** The schema of one side of an agent's interface. */
export function interfaceSchema({ reading }: Context, direction: 'input' | 'output'): ValueRecord | undefined {
  const schema = valueAt(reading.value, ['interface', direction])
  return isRecord(schema) ? schema : undefined
}

/** Where a field of a schema stands, when the document says so itself. */
export function propertyPath(direction: 'input' | 'output', segments: readonly string[]): Path {
  const below = segments.flatMap((segment) => (segment === '[]' ? ['items'] : ['properties', segment]))
  return ['interface', direction, ...below]
}

/** The stretch by which an agent file is known: its id. */
export function identityOf(context: Context): { readonly name: string; readonly start: number; readonly end: number } {
  const entry = context.entry(['metadata', 'id']) ?? context.entry(['metadata', 'name'])
  const span = entry === undefined ? { start: 0, end: 0 } : insideQuotes(context.file.text, entry.value)
  return { name: context.file.name, ...span }
}
