/** The agent card (§7.2.4 `agent_card`): as written, or the minimum that A2A 0.3.0 allows. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'

/**
 * The card of a phase. A client needs a `url`, so a missing one is filled with ours; a reader of 1.0 needs the addresses
 * as a list. What is to be left as written gets neither.
 */
export function agentCardOf(stage: Stage, scene: Scene, url: string, request: Value, isModern = false): Value {
  const written = own(scene.state, 'agent_card')
  const card = written === undefined ? minimalCard(url) : stage.fill(written, request, written)
  if (!isRecord(card) || (stage.verbatim && written !== undefined)) return card
  const placed = own(card, 'url') === undefined ? { ...card, url } : card
  return isModern ? modernCard(placed) : placed
}

function modernCard(card: ValueRecord): Value {
  if (own(card, 'supportedInterfaces') !== undefined) return card
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
