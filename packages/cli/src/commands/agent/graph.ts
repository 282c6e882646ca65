/** `joust agent graph FILE`: draws an agent with its sub-agents, tools and servers. */
import { renderMermaid, renderTree } from '@joust/agentformat'
import { openAgent } from '../../agent/open-agent.ts'
import type { AgentGraphOptions } from '../../options/agent.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Io } from '../../terminal/io.ts'

export async function graph(path: string, { format }: AgentGraphOptions, io: Io): Promise<number> {
  const opened = await openAgent(path, io, { quiet: true })
  if (!opened.ok) return opened.error.exitCode
  io.stdout.write((format === 'mermaid' ? renderMermaid : renderTree)(opened.value.agent))
  return exitCodes.ok
}
