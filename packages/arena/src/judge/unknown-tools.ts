/** Calls of tools that a server does not have: nothing was attacked, so refusing them shows nothing. */
import type { LoadedAttack } from '@joust/oatf'
import { isRecord, own, ownText, type ValueRecord } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'

/** JSON-RPC's code for wrong parameters, which MCP tells servers to use for an unknown tool. */
const INVALID_PARAMS = -32602

/** Why a client's calls say nothing about its server: a sentence for each actor all of whose calls named no tool of the server. */
export function unknownTools({ plants }: LoadedAttack, trace: readonly TraceEntry[]): string[] {
  // Where the author names the call itself as the bait, a server that does not know it has done the right thing.
  if (!plants.guessed && plants.baits.some(({ path }) => /\.params(\.name)?$/.test(path))) return []
  const answers = trace.filter(({ mode, flow }) => mode === 'mcp_client' && flow === 'in')
  return [...new Set(answers.map(({ actor }) => actor))].flatMap((actor) => {
    const ours = answers.filter((entry) => entry.actor === actor)
    const listed = listedTools(ours)
    const calls = ours.filter(({ surface, direction }) => surface === 'tools/call' && direction === 'response')
    const missed = calls.flatMap((entry) => missedTool(entry, listed) ?? [])
    if (calls.length === 0 || missed.length < calls.length) return []
    return [`the server has no tool ${[...new Set(missed)].join(', ')}, so what ${actor} calls was never tried`]
  })
}

/** The tools that a server has listed; undefined when it has not listed all of them. */
function listedTools(answers: readonly TraceEntry[]): ReadonlySet<string> | undefined {
  const lists = answers.flatMap(({ surface, content }) =>
    surface === 'tools/list' && isRecord(content) ? [content] : [],
  )
  const last = lists.at(-1)
  if (last === undefined || typeof own(last, 'nextCursor') === 'string') return undefined
  const tools = lists.flatMap((list) => own(list, 'tools') ?? []).flat()
  return new Set(tools.flatMap((tool) => ownText(tool, 'name') ?? []))
}

/** The name that was called, where the answer refuses it and no such tool exists. */
function missedTool(
  { content: answer, request }: TraceEntry,
  listed: ReadonlySet<string> | undefined,
): string | undefined {
  if (!isRecord(answer)) return undefined
  const name = ownText(request, 'name')
  const refused = own(answer, 'code') === INVALID_PARAMS || own(answer, 'isError') === true
  if (name === undefined || !refused) return undefined
  return (listed === undefined ? saysUnknown(answer) : !listed.has(name)) ? name : undefined
}

/** Whether an error says in the usual words that there is no such tool. */
function saysUnknown(answer: ValueRecord): boolean {
  const parts = [own(answer, 'content') ?? []].flat().flatMap((part) => ownText(part, 'text') ?? [])
  const said = [ownText(answer, 'message') ?? '', ...parts].join(' ').toLowerCase()
  return (
    said.includes('unknown tool') ||
    said.includes('no such tool') ||
    (said.includes('tool') && said.includes('not found'))
  )
}
