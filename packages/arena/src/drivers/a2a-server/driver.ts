/** `a2a_server` (§7.2.4): plays an agent that others find by its card and send messages to. */

import { ArenaError } from '../../model/errors.ts'
import type { HttpListening } from '../../model/http.ts'
import type { ServerEnd } from '../../model/wiring.ts'
import { pushNotification } from '../a2a/push.ts'
import type { Driver, DriverContext } from '../driver.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { createHandler } from './http.ts'
import { createTaskStore } from './task-store.ts'

/** An agent on HTTP; there is no A2A over pipes. */
export function createA2aServerDriver(given: DriverContext, end: ServerEnd): Driver {
  const { stage, quiet } = createQuietStage(given.stage)
  const { clock, newId, limits } = given
  const closing = new AbortController()
  const over = AbortSignal.any([given.signal, closing.signal])
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
        // The address is known only once there is a server to ask.
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
      const why = 'an A2A agent sends nothing by itself (§7.2.6)'
      stage.report('unknown-action', `${why}, so ${method} was not sent: use send_push_notification`)
      return {}
    },
    async enact(name, value, scene) {
      if (name !== 'send_push_notification') return false
      // The endpoint may call back before it answers, and such a call waits for entry actions; so this must not wait.
      void pushNotification({ ...given, stage }, store.tokenFor, value, scene, over)
      return true
    },
    async close() {
      quiet()
      closing.abort()
      await listening?.close()
    },
  }
}
