import { own, ownText, type Path, type Value } from '@joust/source'
import { type ActorSite, type Site, sitesAt } from '../../walk/walk.ts'

/** A message from the attacker, as defined by the document. Templates are empty. */
export interface Payload {
  readonly actor: ActorSite
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly content: Value
  readonly path: Path
  /** True for a payload that is sent only as the response to a request. */
  readonly askedFor: boolean
  /** True for a payload that only accompanies the agent's response, as `_request`. */
  readonly echoed: boolean
}

/** A payload in a state, before its actor is known. */
export type Draft = Pick<Payload, 'surface' | 'direction' | 'content' | 'path'> &
  Partial<Pick<Payload, 'askedFor' | 'echoed'>>

export type Collector = (state: Site) => readonly Draft[]

/** Returns the requests of a client. Each is also returned as the `_request` of its response. */
export function actionDrafts(state: Site): Draft[] {
  return sitesAt(state, 'actions').flatMap(requestDrafts)
}

export function requestDrafts({ path, value }: Site): Draft[] {
  const method = ownText(value, 'method')
  if (method === undefined) return []
  const params = own(value, 'params') ?? {}
  return [
    { surface: method, direction: 'request', content: params, path },
    { surface: method, direction: 'response', content: { _request: params }, path, echoed: true },
  ]
}
