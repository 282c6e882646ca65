/** Agent cards, fetched once per run and treated as untrusted. */
import type { AgentCard } from '@a2a-js/sdk'
import { isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import type { RemoteAgentConnection, RemoteSkill } from '../model/connection.ts'
import { RefusedAnswer } from '../model/errors.ts'
import { readDoubles } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import { isSameHost } from './bounded-fetch.ts'

export const CARD_PATH = '/.well-known/agent-card.json'

/** The fields of an agent card that the runtime uses. */
export interface ReadCard extends Pick<RemoteAgentConnection, 'name' | 'description' | 'skills'> {
  readonly streaming: boolean
  /** A card for the SDK that lists only URLs on the bound host. */
  readonly card: AgentCard
}

type Interface = AgentCard['supportedInterfaces'][number]

/** Fetches an agent card. `url` is the URL of the agent or of its card. */
export async function fetchCard(url: string, reach: typeof fetch): Promise<ReadCard> {
  const path = new URL(url).pathname.endsWith('.json') ? url : `${url.replace(/\/+$/, '')}${CARD_PATH}`
  const response = await reach(path, { headers: { accept: 'application/json', 'a2a-version': '1.0' } })
  if (!response.ok) throw new Error(`cannot fetch the agent card: HTTP ${response.status}`)
  const card = readDoubles(await response.text())
  if (!card.ok || !isRecord(card.value)) throw refuse('the agent card is not a JSON object')
  return readCard(card.value, new URL(url))
}

/** Builds a minimal card for the SDK, which would otherwise reject cards because of unused fields. */
function readCard(card: ValueRecord, home: URL): ReadCard {
  const declared = interfacesOf(card)
  if (declared.length === 0) throw refuse('the agent card has no agent URL')
  const supportedInterfaces = declared.filter(({ url }) => URL.canParse(url) && isSameHost(new URL(url), home))
  if (supportedInterfaces.length === 0) throw refuse(`the agent card has no URL on the bound host ${home.origin}`)
  const streaming = own(own(card, 'capabilities'), 'streaming') === true
  const name = textOf(card, 'name')
  const description = textOf(card, 'description')
  return {
    name: name || undefined,
    description: description || undefined,
    skills: ownList(card, 'skills').slice(0, runtimeLimits.remoteSkills).flatMap(readSkill),
    streaming,
    card: { ...emptyCard, name, description, supportedInterfaces, capabilities: { streaming, extensions: [] } },
  }
}

function refuse(message: string): RefusedAnswer {
  return new RefusedAnswer('agent-card', message)
}

const emptyCard = {
  provider: undefined,
  version: '',
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  signatures: [],
}

/** Returns the interfaces of a card: a list in A2A 1.0, separate fields in 0.3. */
function interfacesOf(card: ValueRecord): Interface[] {
  const current = ownList(card, 'supportedInterfaces').flatMap((entry) => interfaceFrom(entry, 'protocolBinding', ''))
  if (current.length > 0) return current
  const first = { ...card, transport: textOf(card, 'preferredTransport') || 'JSONRPC' }
  return [first, ...ownList(card, 'additionalInterfaces')].flatMap((entry) => interfaceFrom(entry, 'transport', '0.3'))
}

function interfaceFrom(entry: Value, binding: string, version: string): Interface[] {
  const url = textOf(entry, 'url')
  const protocolBinding = textOf(entry, binding)
  if (url === '' || protocolBinding === '') return []
  // Agents that declare 0.2 actually use 0.3.
  const declared = version || textOf(entry, 'protocolVersion') || '1.0'
  const protocolVersion = declared.startsWith('0.') ? '0.3' : declared
  return [{ url, protocolBinding, protocolVersion, tenant: textOf(entry, 'tenant') }]
}

function readSkill(skill: Value): RemoteSkill[] {
  const id = textOf(skill, 'id')
  if (id === '') return []
  const name = textOf(skill, 'name')
  const words = (field: string) => ownList(skill, field).filter((word) => typeof word === 'string')
  const examples = words('examples').map((example) => `Example: ${example}`)
  const tags = words('tags').length === 0 ? [] : [`Tags: ${words('tags').join(', ')}`]
  const description = [textOf(skill, 'description'), ...examples, ...tags].filter((line) => line !== '').join('\n')
  return [{ id, name: name || undefined, description: description || undefined }]
}

function textOf(record: Value, name: string): string {
  return ownText(record, name) ?? ''
}
