/** Sends a phase's actions in order ([OATF §7.1.5](https://oatf.io/specification/protocol-bindings/mcp/), §7.2.5). */
import { HEADERS } from '@joust/oatf'
import { isList, isRecord, kindOf, own, ownText, type Value } from '@joust/source'
import type { Entry, Scene, Stage } from './driver.ts'

interface ActionSender {
  isOver(): boolean
  /** Sends an action and waits for the response. Rejects with an `ArenaError` if the peer is lost. */
  send(entry: Entry): Promise<void>
}

/** Stops when the phase is over or the peer is lost. */
export async function performActions(stage: Stage, scene: Scene, sender: ActionSender): Promise<void> {
  const actions = own(scene.state, 'actions')
  if (actions === undefined || actions === null) return
  if (!isList(actions))
    return stage.report('state-malformed', `actions: expected a list, got ${kindOf(actions)}`, 'actions')
  for (const [index, action] of actions.entries()) {
    const path = `actions[${index}]`
    const drop = () => reportDropped(stage, scene, actions.slice(index), path)
    if (sender.isOver()) return drop()
    const method = ownText(action, 'method')
    if (method === undefined) {
      const reason = isRecord(action) ? 'missing method' : `expected a mapping, got ${kindOf(action)}`
      stage.report('action-malformed', `action not sent: ${reason}`, path)
      continue
    }
    await sender.send(fillAction(stage, method, action))
  }
}

function fillAction(stage: Stage, written: string, action: Value): Entry {
  const filled = stage.fill(written)
  const method = typeof filled === 'string' ? filled : written
  const params = own(action, 'params')
  const headers = own(action, HEADERS)
  return {
    method,
    ...(params !== undefined && { params: stage.fill(params) }),
    ...(headers !== undefined && { headers }),
  }
}

function reportDropped(stage: Stage, scene: Scene, actions: readonly Value[], path: string): void {
  const names = actions.map((action) => ownText(action, 'method') ?? 'no method').join(', ')
  stage.report('action-dropped', `phase ${scene.phase} ended before these actions were sent: ${names}`, path)
}
