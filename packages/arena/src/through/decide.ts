/** Decides which tool calls reach a real server. Fail-closed: an unknown tool is held back. */
import { own } from '@joust/source'
import { classifyServer } from '../inventory/classify.ts'
import type { RealServer, RealTool, ToolDecision } from '../model/through.ts'
import { reasonInDefinition } from './hold-reasons.ts'

/**
 * Decides for each tool of a server. Calls are passed on if the user allows them, or if the tool has `readOnlyHint`,
 * the inventory does not label it a sink, and nothing in its definition is suspicious.
 *
 * @example
 * decideTools({ name: 'files', tools: [{ name: 'write_file' }] }, [])[0]?.isPassed // false
 */
export function decideTools(
  { name, tools }: Pick<RealServer, 'name' | 'tools'>,
  allow: readonly string[] = [],
): ToolDecision[] {
  const labelled = classifyServer({ name, tools })
  const times = new Map<string, number>()
  for (const { name: tool } of tools) times.set(tool, (times.get(tool) ?? 0) + 1)
  return tools.map((tool, index) => {
    const sink = labelled[index]?.labels.find(({ label }) => label === 'sink')
    const held = reasonToHold(tool, sink?.reasons, (times.get(tool.name) ?? 0) > 1)
    if (isAllowed(name, tool.name, allow)) return allowed(tool.name, held !== undefined)
    if (held !== undefined) return { tool: tool.name, isPassed: false, reason: held, mayChange: true }
    return { tool: tool.name, isPassed: true, reason: 'it is read-only and not a sink', mayChange: false }
  })
}

/**
 * Decides about a tool that the server did not list. Its calls are held back even if the user allows its name, which
 * then belongs to another server's tool.
 */
export function decideUnknown(tool: string): ToolDecision {
  return { tool, isPassed: false, reason: 'it is not in the first tool list', mayChange: true }
}

/** The reason for calls that the user allows. */
export const ALLOWED = 'allowed by the user'

function allowed(tool: string, mayChange: boolean): ToolDecision {
  return { tool, isPassed: true, reason: ALLOWED, mayChange }
}

/** A name with a slash is read as `SERVER/TOOL`, so that it never matches a tool name of another server. */
function isAllowed(server: string, tool: string, allow: readonly string[]): boolean {
  return (!tool.includes('/') && allow.includes(tool)) || allow.includes(`${server}/${tool}`)
}

function reasonToHold(tool: RealTool, sink: readonly string[] | undefined, isDouble: boolean): string | undefined {
  if (isDouble) return 'it is listed twice'
  if (own(tool.annotations, 'readOnlyHint') !== true) return 'its annotations do not mark it as read-only'
  return sink === undefined ? reasonInDefinition(tool) : `it is a sink: ${sink.join('; ')}`
}
