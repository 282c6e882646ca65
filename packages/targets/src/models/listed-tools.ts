/** Identifies server actors' tools among the tools that an agent offers to its model. */
import { type ListedTool, PREFLIGHT_TOOL } from '@joust/arena'
import type { ModelCall, OfferedTool, SimulatedOptions } from '@joust/models'

/** A policy that decides, for all runs of a target, which tools a replacement model may call. */
interface ToolPolicy {
  /** Records the tools in a model call. `listed` contains the tools that actors of the run have listed. */
  observe(offered: readonly OfferedTool[], listed: readonly ListedTool[]): void
  isAllowed(tool: OfferedTool, offered: readonly OfferedTool[], listed: readonly ListedTool[]): boolean
}

/**
 * Creates a policy. An attack may list a copy of an agent's own tool, which an agent may drop because the name is
 * taken. Tools that the agent offered in the preflight in addition to the preflight tool are the agent's own, and never
 * allowed.
 */
export function createToolPolicy(): ToolPolicy {
  const own = new Set<string>()
  return {
    observe(offered, listed) {
      if (!listed.some(({ name }) => name === PREFLIGHT_TOOL)) return
      for (const tool of offered) if (!isListedTool(tool, offered, listed)) own.add(tool.name)
    },
    isAllowed: (tool, offered, listed) => !own.has(tool.name) && isListedTool(tool, offered, listed),
  }
}

/** A predicate that is true for those tools in a request that a replacement model may call. */
export type AllowTool = NonNullable<SimulatedOptions['allowTool']>

/** Returns a predicate for the tools that a replacement model may call in a run, and a listener for its model calls. */
export function restrictedTools(
  policy: ToolPolicy,
  listed: () => readonly ListedTool[],
  listener?: (call: ModelCall) => void,
): { readonly allowTool: AllowTool; readonly onCall: (call: ModelCall) => void } {
  return {
    allowTool: (tool, offered) => policy.isAllowed(tool, offered, listed()),
    onCall(call) {
      policy.observe(call.tools, listed())
      listener?.(call)
    },
  }
}

/**
 * True for an offered tool that a server actor has listed. Agents prefix tool names with the server name
 * (`mcp__server__tool`, `server_tool`). An agent's own tool may have the same name, by accident or on purpose, so the
 * description must match too, and only the candidate with the most specific name is accepted. Ambiguous tools are
 * rejected, because the wrong tool could be the user's shell.
 */
export function isListedTool(
  tool: OfferedTool,
  offered: readonly OfferedTool[],
  listed: readonly ListedTool[],
): boolean {
  if (offered.filter(({ name }) => name === tool.name).length > 1) return false
  return listed.some((one) => {
    const rank = rankOf(tool, one)
    if (rank === 0 || offered.some((other) => rankOf(other, one) > rank)) return false
    const alike = offered.filter(({ name }) => name !== tool.name && plain(name) === plain(tool.name))
    return alike.length === 0 || (isEqual(tool, one) && !alike.some((other) => isEqual(other, one)))
  })
}

/** Returns the length of a matching tool's name with all prefixes; 0 for other tools. */
function rankOf(offered: OfferedTool, listed: ListedTool): number {
  const name = plain(offered.name)
  const isMatch =
    (name === plain(listed.name) && isEqual(offered, listed)) ||
    (hasPrefix(name, listed) && isDescribed(offered, listed))
  return isMatch ? name.length : 0
}

function hasPrefix(name: string, { actor, name: tool }: ListedTool): boolean {
  return `_${name}`.endsWith(`_${plain(actor)}_${plain(tool)}`)
}

/** True for equal descriptions. Without a description, the name does not identify the tool's owner. */
function isEqual({ description: offered }: OfferedTool, { description: listed }: ListedTool): boolean {
  const offeredWords = words(offered).replace(FENCED, '$2')
  return offeredWords !== '' && offeredWords === words(listed)
}

/** Matches a description between the markers that ADK adds to descriptions from MCP servers. */
const FENCED = /^<<<BEGIN_(\w+)>>> (.*) <<<END_\1>>>$/

/** True if a description matches. Agents may drop or extend a description, but rarely to more than twice its length. */
function isDescribed({ description: offered, name }: OfferedTool, { description: listed }: ListedTool): boolean {
  const offeredWords = words(offered)
  const written = words(listed)
  if (offeredWords === '' || offeredWords === written) return true
  if (written === '') return offeredWords === name
  return (
    written.length >= DISTINCT_CHARACTERS &&
    offeredWords.includes(written) &&
    offeredWords.length <= 2 * written.length + ADDED_CHARACTERS
  )
}

/** Minimum length of a description that is unlikely to be part of another description by accident. */
const DISTINCT_CHARACTERS = 12
/** Maximum number of characters that an agent adds to a description. */
const ADDED_CHARACTERS = 80

/** Replaces all separators in a name with `_`. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
