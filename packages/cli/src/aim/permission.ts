/**
 * Asks for permission to start the servers in an automatically found configuration, such as one in a cloned repository.
 */
import { configSecrets, createSecretHider, type ServerEntry } from '@joust/authoring'
import { beginning, count } from '@joust/source'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

const LONGEST = 300

/** Describes the commands to start and the URLs to connect to when the servers are listed, without secrets. */
export function startLines(entries: readonly ServerEntry[], { env }: Pick<Io, 'env'>): string[] {
  const hider = createSecretHider(configSecrets(entries, env))
  return entries.map(({ name, command, url }) => {
    const place = command === undefined ? `connects to ${url ?? ''}` : `starts ${command.join(' ')}`
    return beginning(hider.text(`${name} ${place}`), LONGEST)
  })
}

/** Prints the servers, and asks at the terminal unless `isAgreed`; returns the exit code if permission is refused. */
export async function refusalToStart(
  file: string,
  entries: readonly ServerEntry[],
  isAgreed: boolean,
  signal: AbortSignal,
  io: Io,
): Promise<number | undefined> {
  if (entries.length === 0) return undefined
  if (!isAgreed && io.ask === undefined)
    return wrongUsage(
      [
        `${file} starts ${count(entries.length, 'server')} (${entries.map(({ name }) => name).join(', ')}), and there is no terminal to ask for permission; add --yes, or pass the file with --mcp-config`,
      ],
      io,
    )
  for (const line of startLines(entries, io)) tell(io, `${file}: ${line}`)
  if (isAgreed || io.ask === undefined) return undefined
  const question = `Start ${count(entries.length, 'server')} to list the tools? [y/N] `
  // Rejects if the command is interrupted.
  const answer = await io.ask(question, signal).catch(() => '')
  return /^\s*y(?:es)?\s*$/i.test(answer) ? undefined : giveUp('no server was started', io, exitCodes.usage)
}
