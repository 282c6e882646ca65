/** The `a2a_server` mode ([OATF §7.2.4](https://oatf.io/specification/protocol-bindings/a2a/)). */

import { ArenaError } from '../../model/errors.ts'
import type { HttpListening } from '../../model/http.ts'
import type { ServerEnd } from '../../model/wiring.ts'
import { pushNotification } from '../a2a/push.ts'
import type { Driver, DriverContext } from '../driver.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { createHandler } from './http.ts'
import { createTaskStore } from './task-store.ts'

export function createA2aServerDriver(base: DriverContext, end: ServerEnd): Driver {
  const { stage, quiet } = createQuietStage(base.stage)
  const { clock, newId, limits } = base
  const closing = new AbortController()
  const over = AbortSignal.any([base.signal, closing.signal])
  const store = createTaskStore()
  let listening: HttpListening | undefined
  const address = () => (listening === undefined ? undefined : `${listening.origin}${listening.path ?? ''}`)

  return {
    async open() {
      if (end.kind !== 'http') throw new ArenaError('not_wired', `${stage.actor}: A2A needs HTTP, not a pipe`)
      const agent = {
        stage,
        store,
        newId,
        messageBytes: limits.messageBytes,
        now: () => new Date(clock.now()).toISOString(),
        // The address is known only once the server listens.
        get url() {
          return `${address() ?? ''}/`
        },
      }
      listening = await end.listen(createHandler(agent))
      if (closing.signal.aborted) await listening.close()
    },
    address,
    present: store.isWatched,
    async send({ method }) {
      const reason = 'an a2a_server cannot send requests (OATF §7.2.6); use send_push_notification'
      stage.report('unknown-action', `${method} was not sent: ${reason}`)
      return {}
    },
    async enact(name, value, scene) {
      if (name !== 'send_push_notification') return false
      // Not awaited: the endpoint may call back before it responds, and that call waits for entry actions.
      void pushNotification({ ...base, stage }, store.pushTargets, value, scene, over)
      return true
    },
    async close() {
      quiet()
      closing.abort()
      await listening?.close()
    },
  }
}
