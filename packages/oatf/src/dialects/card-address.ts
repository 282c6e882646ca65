import { describeValue, ownText } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { siteAt } from '../walk/walk.ts'
import { statesOf } from './places.ts'
import type { Translation } from './translation.ts'

/** Removes an agent card's `url` if it is not the actor's address, which is then used (D-016). */
export const cardAddress: Translation = {
  summary: 'The `url` of an agent card is replaced with the URL of the actor.',
  find: (places) =>
    statesOf(places, 'a2a_server').flatMap((state) => {
      const card = siteAt(state, 'agent_card')
      const url = card === undefined ? undefined : ownText(card.value, 'url')
      if (card === undefined || url === undefined || !/^https?:\/\//i.test(url) || url.includes('{{')) return []
      const at = [...card.path, 'url']
      const message = `the url ${describeValue(url)} of the agent card is replaced with the URL of the actor, so that agents can reach the actor`
      const unchanged = `the agent card is sent with the url ${describeValue(url)}, so an agent that uses this url never reaches the actor`
      return [{ at, message, edits: [{ op: 'remove', path: at }], unchanged }]
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
