/** Permission to start servers of a configuration that the command line does not name, as in a cloned repository. */
import type { SecretHider, ServerEntry } from '@joust/authoring'
import { beginning, count } from '@joust/source'
import { MCP_CONFIG } from '../options/authoring.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

const LONGEST = 300

/** Prints the servers, and asks at the terminal unless `isAgreed`; returns the exit code of a refusal. */
export async function refusalToStart(
  entries: readonly ServerEntry[],
  isAgreed: boolean,
  hider: SecretHider,
  signal: AbortSignal,
  io: Io,
): Promise<number | undefined> {
  if (entries.length === 0) return undefined
  if (!isAgreed && io.ask === undefined)
    return wrongUsage(
      [
        `${MCP_CONFIG} starts ${count(entries.length, 'server')} (${entries.map(({ name }) => name).join(', ')}), and there is no terminal to ask; add --yes, or name the file with --mcp-config`,
      ],
      io,
    )
  for (const { name, command, url } of entries) {
    const place = command === undefined ? `connects to ${url ?? ''}` : `starts ${command.join(' ')}`
    tell(io, beginning(hider.text(`${MCP_CONFIG}: ${name} ${place}`), LONGEST))
  }
  if (isAgreed || io.ask === undefined) return undefined
  const question = `Start ${count(entries.length, 'server')} to list the tools? [y/N] `
  // Rejects if the command is interrupted.
  const answer = await io.ask(question, signal).catch(() => '')
  return /^\s*y(?:es)?\s*$/i.test(answer) ? undefined : giveUp('no server was started', io, exitCodes.usage)
}
