/** Finds the tools of server actors among the tools that an agent offers to its model. */
import type { ListedTool } from '@joust/arena'
import type { OfferedTool } from '@joust/models'

/**
 * True for an offered tool that a server actor has listed. Agents put the name of the server before the name of a tool
 * (`mcp__server__tool`, `server_tool`). A tool of the agent may have the same name by accident or on purpose, so the
 * description must match too, and of several candidates only those with the most specific name count.
 */
export function isListedTool(
  tool: OfferedTool,
  offered: readonly OfferedTool[],
  listed: readonly ListedTool[],
): boolean {
  return listed.some((one) => {
    const rank = rankOf(tool, one)
    return rank > 0 && offered.every((other) => rankOf(other, one) <= rank)
  })
}

/** The length of the name of a matching tool with all prefixes; 0 for any other tool. */
function rankOf(offered: OfferedTool, listed: ListedTool): number {
  const name = plain(offered.name)
  const isNamed =
    name === plain(listed.name) || name === `${plain(listed.actor)}_${plain(listed.name)}` || endsWith(name, listed)
  return isNamed && isDescribed(offered, listed) ? name.length : 0
}

function endsWith(name: string, { actor, name: tool }: ListedTool): boolean {
  return name.endsWith(`_${plain(actor)}_${plain(tool)}`)
}

/** Agents add to a description, such as the name of the server, but not more than the description itself. */
function isDescribed({ description: offered, name }: OfferedTool, { description: listed }: ListedTool): boolean {
  const offeredWords = words(offered)
  const written = words(listed)
  if (offeredWords === '' || offeredWords === written) return true
  if (written === '') return offeredWords === name
  return offeredWords.includes(written) && offeredWords.length <= 2 * written.length + ADDED_CHARACTERS
}

/** Characters that an agent may add to a short description. */
const ADDED_CHARACTERS = 80

/** Replaces all separators in a name with the same one. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
