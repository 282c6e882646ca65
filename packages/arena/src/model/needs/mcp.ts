/** What MCP actors need: clients, a server beyond an agent as a tool; servers, a client that answers questions. */
import type { Actor } from '@joust/oatf'
import { defined, isRecord, own, ownList, ownText, type Value } from '@joust/source'
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

/** A server that asks questions needs a client that answers them. */
export function mcpServerNeeds(actor: Actor): readonly Need[] {
  const sent = new Set(writtenSends(actor).map(({ method }) => method))
  const asks = actor.phases.some(({ state }) => ownList(state, 'elicitations').length > 0)
  return questions.flatMap(([method, name]): Need[] =>
    sent.has(method) || (asks && name === 'elicitation') ? [{ name }] : [],
  )
}
