import { describeValue, ownText } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { siteAt } from '../rules/walk.ts'
import { statesOf } from './places.ts'
import type { Translation } from './translation.ts'

/** The `url` of an agent card points somewhere else: it is left out, and the card says where the actor is (D-016). */
export const cardAddress: Translation = {
  summary: 'The `url` of an agent card is the address of the actor.',
  find: (places) =>
    statesOf(places, 'a2a_server').flatMap((state) => {
      const card = siteAt(state, 'agent_card')
      const url = card === undefined ? undefined : ownText(card.value, 'url')
      if (card === undefined || url === undefined || !/^https?:\/\//i.test(url) || url.includes('{{')) return []
      const at = [...card.path, 'url']
      const message = `the card's address ${describeValue(url)} is sent as the actor's own, which nobody could reach otherwise`
      const left = `the card is sent with its written address ${describeValue(url)}, so an agent that follows it never reaches this actor`
      return [{ at, message, edits: [{ op: 'remove', path: at }], left }]
    }),
  bad: attackDocument(`
    mode: a2a_server
    state:
      agent_card:
        name: Reports
        description: Writes reports.
        url: https://reports.example
        version: 1.0.0
        skills: []
`),
}
