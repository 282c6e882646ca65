/** Payloads of A2A actors ([OATF §7.2.4](https://oatf.io/specification/protocol-bindings/a2a/), §7.2.5). */
import { isRecord, own } from '@joust/source'
import { a2aTexts, TEXTS } from '../../bindings/a2a-texts.ts'
import { sitesAt } from '../../walk/walk.ts'
import { actionDrafts, type Collector, type Draft } from './payload.ts'

export const a2aServerPayloads: Collector = (state) => {
  const card = own(state.value, 'agent_card')
  const cards = ['agent_card/get', 'agent/getAuthenticatedExtendedCard'].flatMap((surface): Draft[] =>
    card === undefined ? [] : [{ surface, direction: 'response', content: card, path: [...state.path, 'agent_card'] }],
  )
  const tasks = sitesAt(state, 'task_responses').flatMap(({ path, value }) => {
    const written = own(value, 'content')
    if (written === undefined) return []
    const content = isRecord(written) ? { ...written, [TEXTS]: a2aTexts(written) } : written
    return ['message/send', 'message/stream'].map(
      (surface): Draft => ({ surface, direction: 'response', content, path, askedFor: true }),
    )
  })
  return [...cards, ...tasks]
}

export const a2aClientPayloads: Collector = actionDrafts
