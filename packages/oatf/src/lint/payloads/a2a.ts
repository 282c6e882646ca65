/** What A2A actors send (§7.2.4, §7.2.5). */
import { own } from '@joust/source'
import { actionDrafts, type Collector, type Draft, entriesAt } from './payload.ts'

/** The card and the answers of a server. */
export const a2aServerPayloads: Collector = (state, path) => {
  const card = own(state, 'agent_card')
  const cards = ['agent_card/get', 'agent/getAuthenticatedExtendedCard'].flatMap((surface): Draft[] =>
    card === undefined ? [] : [{ surface, direction: 'response', content: card, path: [...path, 'agent_card'] }],
  )
  const tasks = entriesAt(state, 'task_responses', path).flatMap(({ entry, path: at }) => {
    const content = own(entry, 'content')
    if (content === undefined) return []
    return ['message/send', 'message/stream'].map(
      (surface): Draft => ({ surface, direction: 'response', content, path: at, askedFor: true }),
    )
  })
  return [...cards, ...tasks]
}

/** The requests of a client. */
export const a2aClientPayloads: Collector = actionDrafts
