/** The gateway of a target: how the options define it, and what the agent's configuration needs. */
import type { Gateway, Slots } from '@joust/arena'
import { type Actor, roleOf } from '@joust/oatf'
import type { RunOptions, TargetOptions } from '../options/run.ts'

/** The gateway that the options ask for, and which actors the agent knows without it, as options of a target. */
export async function planGateway({ gateway, gatewayHeader, listen }: RunOptions) {
  const knows = (actor: string) => Object.hasOwn(listen, actor)
  if (gateway === undefined) return { knows }
  const { createGateway } = await import('@joust/arena')
  return { knows, gateway: createGateway({ ...gateway, ...(gatewayHeader && { header: gatewayHeader }) }) }
}

/** Throws where an address that the user names for an actor or a gateway is taken, before anything is run. */
export async function tryAddresses(options: Iterable<Pick<TargetOptions, 'listen' | 'gateway'>>): Promise<void> {
  const { createGateway } = await import('@joust/arena')
  for (const { listen, gateway } of options)
    for (const place of [...Object.values(listen), gateway]) {
      if (place === undefined || place === 'stdio') continue
      const probe = createGateway(place)
      await probe.open()
      await probe.close()
    }
}

/** What to put into the agent's configuration, in the forms that agents use. */
export function gatewayText(gateway: Gateway, slots: Slots, header: string | undefined): string {
  const addresses = (kind: keyof Slots) =>
    Array.from({ length: slots[kind] }, (_, index) => gateway.address(kind, index + 1))
  const mcp = addresses('mcp')
  const servers = (entry: (url: string) => object) =>
    JSON.stringify({ mcpServers: Object.fromEntries(mcp.map((url, index) => [`server-${index + 1}`, entry(url)])) })
  const cards = addresses('a2a').map((url) => `${url}/.well-known/agent-card.json`)
  const forms = [
    ...(mcp.length === 0
      ? []
      : [
          ['MCP servers', servers((url) => ({ url }))],
          ['with a type', servers((url) => ({ type: 'http', url }))],
          ['Gemini, Qwen', servers((url) => ({ httpUrl: url }))],
        ]),
    ...(cards.length === 0 ? [] : [['A2A agents', JSON.stringify(cards)]]),
  ]
  if (forms.length === 0) return 'gateway: no attack has a server actor, so it has no slots\n'
  const pass =
    header === undefined ? [] : [['pass on', `the header ${header}, from each request of a user to all of these`]]
  const lines = [...forms, ...pass].map(([form = '', text]) => `  ${form.padEnd(12)}  ${text}`)
  return [
    "gateway: what the agent's configuration needs, once; one form of the MCP servers will do",
    ...lines,
    '',
  ].join('\n')
}

/** The slot of an actor of an attack; undefined where it has none. */
export function slotOf(actor: Actor, actors: readonly Actor[], gateway: Gateway | undefined): string | undefined {
  const kind = actor.mode === 'mcp_server' ? 'mcp' : 'a2a'
  if (gateway === undefined || roleOf(actor.mode) !== 'server') return undefined
  const same = actors.filter(({ mode }) => mode === actor.mode)
  return gateway.address(kind, same.indexOf(actor) + 1)
}
