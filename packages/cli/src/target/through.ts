/** `--through`: the real servers of the agent, and the decision about each of their tools. */
import { resolve } from 'node:path'
import { decideTools, type RealServer, type RecordedAnswer, type Through } from '@joust/arena'
import type { ServerEntry, Session } from '@joust/authoring'
import { err, isRecord, ok, own, printable, type Result } from '@joust/source'
import { readText } from '../input/read.ts'
import type { RunOptions } from '../options/run.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

type ThroughOptions = Pick<RunOptions, 'through' | 'allowCall' | 'answers' | 'quiet'>

/**
 * Starts the servers in a configuration and lists their tools; undefined without a configuration. If the tools of a
 * server cannot be listed, the command ends, because nothing is known about these tools.
 */
export async function planThrough(options: ThroughOptions, io: Io): Promise<Result<Through | undefined, number>> {
  if (options.through === undefined) return ok(undefined)
  const entries = await entriesOf(options.through, io)
  if (!entries.ok) return err(wrongUsage([entries.error], io))
  const recorded = await answersOf(options.answers, io)
  if (!recorded.ok) return err(wrongUsage([recorded.error], io))
  const { createSecretHider, configSecrets, listServers } = await import('@joust/authoring')
  const { placesOf } = await import('../input/mcp-servers.ts')
  const hider = createSecretHider(configSecrets(entries.value, io.env))
  const { places, notes } = placesOf(entries.value, io)
  if (notes.length > 0) return err(wrongUsage(notes.map(hider.text), io))
  if (!options.quiet) tell(io, hider.text(`listing the tools of ${places.map(({ name }) => name).join(', ')}`))
  const listed: { current?: Awaited<ReturnType<typeof listServers>> } = {}
  await io.stoppable(async (signal) => {
    listed.current = await listServers(places, { signal })
    return exitCodes.ok
  })
  const { servers = [], notes: faults = [], failed = 1, doubles } = listed.current ?? {}
  for (const fault of faults) tell(io, hider.text(fault))
  if (failed > 0)
    return err(giveUp('could not list the tools of a real server, so it is unknown which calls may be passed on', io))
  const real = servers.flatMap(({ name, tools }): RealServer[] => {
    const place = places.find((one) => one.name === name)
    const answers = recorded.value.get(name) ?? []
    // A tool that is listed twice is kept twice, so that calls to it are held back.
    const twice = tools.filter((tool) => doubles?.get(name)?.has(tool.name) === true)
    return place === undefined
      ? []
      : [{ ...place, tools: [...tools, ...twice], ...(answers.length > 0 && { answers }) }]
  })
  const unknown = unknownCalls(options.allowCall, real)
  if (unknown.length > 0) return err(wrongUsage(unknown, io))
  return ok({ servers: real, allow: options.allowCall })
}

/** Returns the values of secret variables and headers in the configuration. */
export async function throughSecrets({ through }: Pick<RunOptions, 'through'>, io: Io): Promise<readonly string[]> {
  if (through === undefined) return []
  const entries = await entriesOf(through, io)
  const { configSecrets } = await import('@joust/authoring')
  return entries.ok ? Object.values(configSecrets(entries.value, io.env)) : []
}

async function entriesOf(path: string, io: Io): Promise<Result<readonly ServerEntry[], string>> {
  const text = await readText(resolve(io.cwd, path), io)
  if (!text.ok) return err(`--through ${path}: ${text.error.message}`)
  const { readServers } = await import('../input/mcp-servers.ts')
  const read = readServers(path, text.value)
  if (!read.ok) return err(`--through ${path}: ${read.error}`)
  if (read.value.entries.length === 0) return err(`--through ${path}: no MCP servers`)
  return ok(read.value.entries)
}

/** Reads the recorded tool results from a session, by server. */
async function answersOf(
  path: string | undefined,
  io: Io,
): Promise<Result<ReadonlyMap<string, readonly RecordedAnswer[]>, string>> {
  if (path === undefined) return ok(new Map())
  const text = await readText(resolve(io.cwd, path), io)
  if (!text.ok) return err(`--answers ${path}: ${text.error.message}`)
  const { readSession } = await import('@joust/authoring')
  const session = readSession(text.value)
  if (!session.ok) return err(`--answers ${path}: ${session.error[0]?.message ?? 'not a session'}`)
  return ok(new Map(session.value.servers.map((server) => [server.name, recordedIn(server)])))
}

function recordedIn({ calls = [] }: Session['servers'][number]): RecordedAnswer[] {
  return calls.flatMap(({ method, name: tool, arguments: args, result }) => {
    if (method !== 'tools/call' || !isRecord(result) || own(result, 'isError') === true) return []
    return [{ tool, result, ...(args !== undefined && { arguments: args }) }]
  })
}

function unknownCalls(allow: readonly string[], servers: readonly RealServer[]): string[] {
  const known = servers.flatMap(({ name, tools }) =>
    tools.flatMap(({ name: tool }) => [...(tool.includes('/') ? [] : [tool]), `${name}/${tool}`]),
  )
  return allow
    .filter((name) => !known.includes(name))
    .map((name) => unknownWord(`--allow-call ${name}: no server lists this tool`, name, known))
}

/** Renders the decision about each tool, one line each. */
export function throughText({ servers, allow = [] }: Through): string {
  const rows = servers.flatMap((server) =>
    decideTools(server, allow).map(({ tool, isPassed, reason }) => ({
      name: `${server.name}/${tool}`,
      isPassed,
      reason,
    })),
  )
  const width = Math.min(48, Math.max(...rows.map(({ name }) => name.length)))
  const lines = rows.map(
    ({ name, isPassed, reason }) =>
      `  ${printable(name).padEnd(width)}  ${isPassed ? 'passed on' : 'held back'}: ${printable(reason)}`,
  )
  return ['calls to tools of real servers:', ...lines, ''].join('\n')
}

export function throughSummary({ servers, allow = [] }: Through): string {
  const all = servers.flatMap((server) => decideTools(server, allow))
  const passed = all.filter(({ isPassed }) => isPassed)
  const names = passed.length === 0 ? '' : `: ${passed.map(({ tool }) => tool).join(', ')}`
  return `through ${servers.map(({ name }) => name).join(', ')}: calls to ${passed.length} of ${all.length} tools are passed on${names}`
}
