/** What MCP actors need: clients, a server beyond an agent as a tool; servers, a client that answers questions. */
import type { Actor, Plants } from '@joust/oatf'
import { defined, isRecord, own, ownText, type Value } from '@joust/source'
import { questions } from '../client-abilities.ts'
import { isNothing, isTemplate, type Need, needsWhere, writtenSends } from './need.ts'

/** What every server answers. */
const plain: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'ping', 'tools/list'])

const answers = ['sampling_responses', 'elicitation_responses', 'roots']

/**
 * An agent behind a text front door is an MCP server with one tool that takes a text. So a client may list tools and
 * call whatever it has found with one text; a call by a name from the document, or of a tool picked from several, is an
 * attack on another server.
 */
export function mcpClientNeeds(actor: Actor): readonly Need[] {
  const picked = pickedNames(actor)
  const needs = writtenSends(actor).flatMap(({ method, params }): readonly Need[] => {
    if (method === 'tools/call') return callNeeds(params, picked)
    return plain.has(method) ? [] : [{ name: 'methods', what: method }]
  })
  const asked = actor.phases.flatMap(({ state }) =>
    answers.filter((key) => !isNothing(own(state, key))).map((what): Need => ({ name: 'fields', what })),
  )
  const isMute = writtenSends(actor).every(({ method }) => method !== 'tools/call')
  return [...needs, ...asked, ...needsWhere({ server_tools: isMute })]
}

/** The names under which a client keeps a tool picked by its parameters or name, rather than the first it found. */
function pickedNames({ phases }: Actor): readonly string[] {
  return phases
    .flatMap(({ extractors = [] }) => extractors)
    .filter(({ type, selector }) => type === 'json_path' && selector.includes('?'))
    .map(({ name }) => name)
}

function callNeeds(params: Value, picked: readonly string[]): readonly Need[] {
  const name = own(params, 'name')
  if (picked.some((one) => name === `{{${one}}}`)) return [{ name: 'server_tools', what: 'one of a certain kind' }]
  if (!isTemplate(name)) return [defined({ name: 'server_tools' as const, what: ownText(params, 'name') })]
  const given = own(params, 'arguments')
  const texts = isRecord(given) ? Object.values(given) : []
  if (texts.length === 1 && typeof texts[0] === 'string') return texts[0] === '' ? [{ name: 'silence' }] : []
  return [{ name: texts.length === 0 ? 'silence' : 'parts' }]
}

/** What servers send without being asked, and what takes it. */
const unasked = [...questions, ['notifications/message', 'notices'], ['notifications/progress', 'notices']] as const

/** A server needs somebody behind the client where nothing but its questions and notifications is the bait. */
export function mcpServerNeeds({ name: actor }: Actor, { baits }: Plants): readonly Need[] {
  const items = baits.flatMap((bait) => bait.items)
  if (items.some(({ methods = [] }) => new Set(methods).size !== 1)) return []
  const sent = items.flatMap((item) => (item.actor === actor ? (item.methods ?? []) : []))
  return unasked.flatMap(([method, name]): Need[] => (sent.includes(method) ? [{ name }] : []))
}
