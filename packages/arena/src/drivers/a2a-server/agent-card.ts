/** The agent card (§7.2.4 `agent_card`): as written, or the minimum that A2A 0.3.0 allows. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'

/** The card of a phase; a client needs a `url`, so a missing one is filled with ours, unless it is left as written. */
export function agentCardOf(stage: Stage, scene: Scene, url: string, request: Value): Value {
  const written = own(scene.state, 'agent_card')
  if (written === undefined) return minimalCard(url)
  const card = stage.fill(written, request, written)
  return isRecord(card) && !stage.verbatim && own(card, 'url') === undefined ? { ...card, url } : card
}

/** The card for readers of 1.0, where the addresses of an agent are a list. A card that has the list stays as it is. */
export function modernCard(card: Value): Value {
  if (!isRecord(card) || own(card, 'supportedInterfaces') !== undefined) return card
  const place = { url: own(card, 'url') ?? '', tenant: '', protocolVersion: '1.0' }
  return {
    ...card,
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ ...place, protocolBinding })),
  }
}

/** Whether the card says that there are no push notifications; silence is not a refusal. */
export function refusesPush({ state }: Scene): boolean {
  return own(own(own(state, 'agent_card'), 'capabilities'), 'pushNotifications') === false
}

/** The minimum that A2A 0.3.0 allows. */
export function minimalCard(url: string): ValueRecord {
  return {
    protocolVersion: '0.3.0',
    name: 'oatf-server',
    description: 'An agent.',
    version: '1.0.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportsAuthenticatedExtendedCard: true,
  }
}
