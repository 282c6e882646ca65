/** Finds the tools of server actors among the tools that an agent offers to its model. */
import { type ListedTool, PREFLIGHT_TOOL } from '@joust/arena'
import type { ModelCall, OfferedTool, SimulatedOptions } from '@joust/models'

/** Selects the tools that a model in place of the agent's own may call, for all runs of a target. */
interface ToolPolicy {
  /** Receives the tools of a model call, and those that the actors of its run have listed. */
  observe(offered: readonly OfferedTool[], listed: readonly ListedTool[]): void
  isAllowed(tool: OfferedTool, offered: readonly OfferedTool[], listed: readonly ListedTool[]): boolean
}

/**
 * Creates a policy. An attack can list a copy of a tool of the agent, which an agent may drop because the name is taken.
 * Tools that the agent offered in the preflight beside the tool of the preflight are its own, and never allowed.
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

/** True for a tool that a model in place of the agent's own may call, among all tools in the request. */
export type AllowTool = NonNullable<SimulatedOptions['allowTool']>

/**
 * The test for the tools that such a model may call in a run, and a listener to its calls that keeps the test up to
 * date.
 */
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
 * True for an offered tool that a server actor has listed. Agents put the name of the server before the name of a tool
 * (`mcp__server__tool`, `server_tool`). A tool of the agent may have the same name by accident or on purpose, so the
 * description must match too, and of several candidates only the one with the most specific name counts. Tools that
 * cannot be told apart do not count: a wrong tool could be a shell of the user.
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

/** The length of the name of a matching tool with all prefixes; 0 for any other tool. */
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

/** True for the same description. Without one, a name alone does not show whose tool it is. */
function isEqual({ description: offered }: OfferedTool, { description: listed }: ListedTool): boolean {
  const offeredWords = words(offered).replace(FENCED, '$2')
  return offeredWords !== '' && offeredWords === words(listed)
}

/** A description between the markers with which ADK encloses those of MCP servers. */
const FENCED = /^<<<BEGIN_(\w+)>>> (.*) <<<END_\1>>>$/

/** Agents drop a description or add to it, such as the name of the server, but not more than the description itself. */
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

/** The minimum length of a description that is unlikely to be part of another one by accident. */
const DISTINCT_CHARACTERS = 12
/** The maximum number of characters that an agent adds to a description. */
const ADDED_CHARACTERS = 80

/** Replaces all separators in a name with the same one. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
