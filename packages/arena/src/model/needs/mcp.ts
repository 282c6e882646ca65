/** The needs of MCP actors: clients may need tools other than the agent, servers may need client capabilities. */
import { type Actor, DEFAULT_MCP_VERSION, type Plants } from '@joust/oatf'
import { defined, isRecord, own, ownList, ownText, type Value } from '@joust/source'
import { questions } from '../client-abilities.ts'
import { isNothing, isTemplate, type Need, needsWhere, writtenSends } from './need.ts'

const plain: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'ping', 'tools/list'])

const answers = ['sampling_responses', 'elicitation_responses', 'roots']

/**
 * An agent with a chat interface is served as an MCP server with one tool that accepts text, so a client may list tools
 * and call the listed tool with text. A call by a fixed name, or to a tool selected by a filter, needs another server.
 */
export function mcpClientNeeds(actor: Actor): readonly Need[] {
  const selected = selectedNames(actor)
  const needs = writtenSends(actor).flatMap(({ method, params }): readonly Need[] => {
    if (method === 'tools/call') return callNeeds(params, selected)
    return plain.has(method) ? [] : [{ name: 'methods', what: method }]
  })
  const fields = actor.phases.flatMap(({ state }) =>
    answers.filter((key) => !isNothing(own(state, key))).map((what): Need => ({ name: 'fields', what })),
  )
  const isMute = writtenSends(actor).every(({ method }) => method !== 'tools/call')
  return [...needs, ...fields, ...needsWhere({ server_tools: isMute, headers: hasHeaders(actor) })]
}

const HEADERS = 'x-joust-headers'

function hasHeaders({ phases }: Actor): boolean {
  return phases.some(({ state }) =>
    [state, ...ownList(state, 'actions')].some((holder) => !isNothing(own(holder ?? null, HEADERS))),
  )
}

/** Returns the names of extractors that select a tool by a filter. */
function selectedNames({ phases }: Actor): readonly string[] {
  return phases
    .flatMap(({ extractors = [] }) => extractors)
    .filter(({ type, selector }) => type === 'json_path' && selector.includes('?'))
    .map(({ name }) => name)
}

function callNeeds(params: Value, selected: readonly string[]): readonly Need[] {
  const name = own(params, 'name')
  if (selected.some((extractor) => name === `{{${extractor}}}`))
    return [{ name: 'server_tools', what: 'selected by a filter' }]
  if (!isTemplate(name)) return [defined({ name: 'server_tools' as const, what: ownText(params, 'name') })]
  const args = own(params, 'arguments')
  const texts = isRecord(args) ? Object.values(args) : []
  if (texts.length === 1 && typeof texts[0] === 'string') return texts[0] === '' ? [{ name: 'silence' }] : []
  return [{ name: texts.length === 0 ? 'silence' : 'parts' }]
}

const unsolicited = [...questions, ['notifications/message', 'notices'], ['notifications/progress', 'notices']] as const

/** A server may need an MCP version, and requests or notifications if these are the only baits. */
export function mcpServerNeeds(actor: Actor, plants: Plants): readonly Need[] {
  // Versions are dates. Versions after the default version have no handshake.
  const isModern = actor.phases.some(({ state }) => (ownText(state, 'protocol_version') ?? '') > DEFAULT_MCP_VERSION)
  return [...needsWhere({ modern: isModern }), ...unsolicitedNeeds(actor, plants)]
}

function unsolicitedNeeds({ name: actor }: Actor, { baits }: Plants): readonly Need[] {
  const items = baits.flatMap((bait) => bait.items)
  if (items.some(({ methods = [] }) => new Set(methods).size !== 1)) return []
  const sent = items.flatMap((item) => (item.actor === actor ? (item.methods ?? []) : []))
  return unsolicited.flatMap(([method, name]): Need[] => (sent.includes(method) ? [{ name }] : []))
}
