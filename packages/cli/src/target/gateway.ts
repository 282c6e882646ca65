/** The gateway of a target, and the configuration for the agent. */

import type { ServerMode } from '@joust/arena'
import type { Actor } from '@joust/oatf'
import type { Gateway, Slots } from '@joust/targets'
import type { RunOptions, TargetOptions } from '../options/run.ts'

/** Plans the gateway, from the options or for a served agent, and the actors that the agent reaches directly. */
export async function planGateway({ gateway, gatewayHeader, listen }: RunOptions, isServed = false) {
  const knows = (actor: string) => Object.hasOwn(listen, actor)
  if (gateway === undefined && !isServed) return { knows }
  const { createGateway } = await import('@joust/targets')
  return { knows, gateway: createGateway({ ...gateway, ...(gatewayHeader && { header: gatewayHeader }) }) }
}

/** Throws if the address of an actor, gateway or model proxy is in use, before anything is run. */
export async function tryAddresses(
  options: Iterable<Pick<TargetOptions, 'listen' | 'gateway' | 'modelListen'>>,
): Promise<void> {
  const { createGateway } = await import('@joust/targets')
  for (const { listen, gateway, modelListen } of options)
    for (const place of [...Object.values(listen), gateway, modelListen]) {
      if (place === undefined || place === 'stdio') continue
      const probe = createGateway(place)
      await probe.open()
      await probe.close()
    }
}

/** Returns the configuration for the agent, in common formats. */
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
  if (forms.length === 0) return 'gateway: no attack has a server actor, so there is nothing to configure\n'
  const pass =
    header === undefined
      ? []
      : [['header', `forward the header ${header} of each user request to all of these servers and agents`]]
  const lines = [...forms, ...pass].map(([form = '', text]) => `  ${form.padEnd(12)}  ${text}`)
  const head = "gateway: add this to the agent's configuration once; use one of the forms for MCP servers"
  return [head, ...lines, ''].join('\n')
}

const slotKinds: Readonly<Record<string, keyof Slots>> = {
  mcp_server: 'mcp',
  a2a_server: 'a2a',
} satisfies Record<ServerMode, keyof Slots>

export function slotOf(actor: Actor, actors: readonly Actor[], gateway: Gateway | undefined): string | undefined {
  const kind = slotKinds[actor.mode]
  if (gateway === undefined || kind === undefined) return undefined
  const same = actors.filter(({ mode }) => mode === actor.mode)
  return gateway.address(kind, same.indexOf(actor) + 1)
}
