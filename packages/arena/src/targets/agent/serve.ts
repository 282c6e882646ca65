/** The agent behind the protocols of client actors, on the loopback interface. */
import type { Agent } from '@joust/agentformat'
import { type Runtime, type Served, type ServeOptions, serveA2a, serveAgUi, serveMcp } from '@joust/runtime'
import type { ClientActor } from '../../model/target.ts'
import type { Connect } from '../../model/wiring.ts'

/** An agent that is served. */
export interface ServedAgent {
  /** By actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /** Who reaches it how, for people. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

const protocols: Readonly<Record<string, { readonly serve: typeof serveAgUi; readonly title: string }>> = {
  ag_ui_client: { serve: serveAgUi, title: 'AG-UI' },
  a2a_client: { serve: serveA2a, title: 'A2A' },
  mcp_client: { serve: serveMcp, title: 'MCP' },
}

/** Serves an agent over every protocol that a client speaks, each once. Rejects when it cannot. */
export async function serveClients(
  runtime: Runtime,
  agent: Agent,
  clients: readonly ClientActor[],
  options: ServeOptions,
): Promise<ServedAgent> {
  const served = new Map<string, Served>()
  const endpoints: [string, Connect][] = []
  const lines: string[] = []
  const close = async () => void (await Promise.allSettled([...served.values()].map((one) => one.close())))
  try {
    for (const { actor, mode } of clients) {
      const protocol = protocols[mode]
      if (protocol === undefined) continue
      const there = served.get(mode) ?? (await protocol.serve(runtime, agent, options))
      served.set(mode, there)
      endpoints.push([actor, { url: there.url }])
      lines.push(`actor ${actor} (${mode}) → the agent over ${protocol.title} at ${there.url}`)
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
  return { endpoints: Object.fromEntries(endpoints), lines, close }
}
