import { own, ownText, type Path, type Value } from '@joust/source'
import { type ActorSite, type Site, sitesAt } from '../../rules/walk.ts'

/** A message that the attacker sends, as far as the document says what is in it. Templates are left empty. */
export interface Payload {
  readonly actor: ActorSite
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly content: Value
  /** Where it is in the document. */
  readonly path: Path
  /** Whether the agent gets it only by asking for this very thing. */
  readonly askedFor: boolean
  /** Whether it only accompanies what the agent answers, as `_request`. */
  readonly echoed: boolean
}

/** A payload of a state, before its actor is known. */
export type Draft = Pick<Payload, 'surface' | 'direction' | 'content' | 'path'> &
  Partial<Pick<Payload, 'askedFor' | 'echoed'>>

/** Reads the payloads off the state of a mode. */
export type Collector = (state: Site) => readonly Draft[]

/** What a client sends: each request, and with each answer the request again. */
export function actionDrafts(state: Site): Draft[] {
  return sitesAt(state, 'actions').flatMap(requestDrafts)
}

/** A request that is written as method and params. */
export function requestDrafts({ path, value }: Site): Draft[] {
  const method = ownText(value, 'method')
  if (method === undefined) return []
  const params = own(value, 'params') ?? {}
  return [
    { surface: method, direction: 'request', content: params, path },
    { surface: method, direction: 'response', content: { _request: params }, path, echoed: true },
  ]
}
