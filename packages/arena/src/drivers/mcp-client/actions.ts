/** The actions of a client phase (§7.1.5): one after the other, each filled when its turn has come. */
import { isList, isRecord, kindOf, own, type Value } from '@joust/source'
import type { Entry, Scene, Stage } from '../../driver.ts'
import type { Reply } from './correlate.ts'

/** Sends one message and waits for its reply, where it has one. Rejects with an `ArenaError`. */
export type SendAction = (entry: Entry, scene: Scene) => Promise<Reply | undefined>

/** Sends the actions of a phase, until one of the signals fires; a peer that is gone rejects. */
export async function performActions(
  stage: Stage,
  scene: Scene,
  signals: readonly AbortSignal[],
  send: SendAction,
): Promise<void> {
  const actions = isRecord(scene.state) ? own(scene.state, 'actions') : undefined
  if (actions === undefined || actions === null) return
  if (!isList(actions)) {
    return stage.report('state-malformed', `actions are ${kindOf(actions)}, no list`, 'state.actions')
  }
  for (const [index, action] of actions.entries()) {
    if (signals.some(({ aborted }) => aborted)) return reportDropped(stage, scene, actions.slice(index))
    const entry = entryOf(stage, action, `state.actions[${index}]`)
    if (entry === undefined) continue
    const reply = await send(entry, scene)
    if (reply?.kind === 'gone') throw reply.error
    if (reply?.kind === 'ended') return reportDropped(stage, scene, actions.slice(index + 1))
    if (reply?.kind === 'missing') reportMissing(stage, entry.method, reply.reason)
  }
}

/** Says that a request has no answer. */
export function reportMissing(stage: Stage, method: string, reason: string): void {
  stage.report('reply-missing', `${method} was not answered: ${reason}`)
}

/** A message is a notification by the name of its method. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}

function entryOf(stage: Stage, action: Value, path: string): Entry | undefined {
  const written = isRecord(action) ? own(action, 'method') : undefined
  if (!isRecord(action) || typeof written !== 'string') {
    const what = isRecord(action) ? 'it has no method that is a string' : `it is ${kindOf(action)}, no mapping`
    stage.report('action-malformed', `an action cannot be sent: ${what}`, path)
    return undefined
  }
  const method = stage.fill(written)
  const params = own(action, 'params')
  const entry = { method: typeof method === 'string' ? method : written }
  return params === undefined ? entry : { ...entry, params: stage.fill(params) }
}

function reportDropped(stage: Stage, scene: Scene, actions: readonly Value[]): void {
  if (actions.length === 0) return
  const names = actions.map((action) => String((isRecord(action) ? own(action, 'method') : undefined) ?? 'no method'))
  stage.report('action-dropped', `${scene.phase} was over before these were sent: ${names.join(', ')}`, 'state.actions')
}
