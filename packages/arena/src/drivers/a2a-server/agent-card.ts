/** The agent card ([OATF §7.2.4](https://oatf.io/specification/protocol-bindings/a2a/)), as written or minimal. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { asksSignature, withSignatures } from '../a2a/card-signature.ts'
import type { Scene, Stage } from '../driver.ts'

/**
 * Returns the agent card for a phase. A missing `url` is filled in. Clients of A2A 1.0, where cards are signed, also
 * get the list of interfaces. With `x-joust-verbatim`, the card is sent as written.
 */
export function agentCardOf(stage: Stage, scene: Scene, url: string, request: Value, isModern = false): Value {
  const written = own(scene.state, 'agent_card')
  const card = written === undefined ? minimalCard(url) : stage.fill(written, request, written)
  if (!isRecord(card)) return card
  if (stage.verbatim && written !== undefined) return withSignatures(stage, scene, card)
  const placed = own(card, 'url') === undefined ? { ...card, url } : card
  return isModern || asksSignature(scene) ? withSignatures(stage, scene, modernCard(placed)) : placed
}

function modernCard(card: ValueRecord): ValueRecord {
  if (own(card, 'supportedInterfaces') !== undefined) return card
  const place = { url: own(card, 'url') ?? '', tenant: '', protocolVersion: '1.0' }
  return {
    ...card,
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ ...place, protocolBinding })),
  }
}

export function refusesPush({ state }: Scene): boolean {
  return own(own(own(state, 'agent_card'), 'capabilities'), 'pushNotifications') === false
}

/** Returns a minimal A2A 0.3.0 agent card. */
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
