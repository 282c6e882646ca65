/** Messages of ours that have no reply. */
import type { Value } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { writeNotification } from '../json-rpc.ts'
import { inSession, type Outgoing } from './outgoing.ts'

/** Whether a method has a reply by protocol: every one that is not named as a notification. */
export function isRequest(method: string): boolean {
  return !method.startsWith('notifications/')
}

/** A notification, recorded when it goes out. */
export function notification(
  stage: Stage,
  scene: Scene,
  method: string,
  params: Value | undefined,
  delivered: () => void = () => {},
): Outgoing {
  const sent = (session: string | undefined) => {
    delivered()
    const content = params ?? {}
    stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, ...inSession(session) })
  }
  return { text: writeNotification(method, params), what: method, sent }
}
