/** Lines from the client's side: one process or one end in memory. */
import { ArenaError, messageOf } from '../../model/errors.ts'
import type { Pipe, PipeOpen } from '../../model/pipe.ts'
import type { Inlet, Link } from './link.ts'

/** A link over lines; `report` hears of a peer that goes by itself. */
export function createPipeLink(openPipe: PipeOpen, inlet: Inlet, report: (message: string) => void): Link {
  let pipe: Pipe | undefined
  let gone: ArenaError | undefined
  let closed = false

  const read = async (from: Pipe): Promise<void> => {
    let reason: string | undefined
    try {
      for await (const { text, fault } of from.lines) {
        if (text.trim() !== '' || fault !== undefined) await inlet.take(text, fault === undefined ? {} : { fault })
      }
    } catch (thrown) {
      reason = messageOf(thrown)
    }
    reason = from.ending() ?? reason ?? 'the lines ended'
    gone = new ArenaError('connection_lost', `the server is gone: ${reason}`)
    if (!closed) report(gone.message)
    inlet.lost(gone)
  }

  return {
    async open() {
      pipe = await openPipe()
      if (closed) return pipe.close()
      void read(pipe)
    },
    async send({ text, id, held }) {
      if (gone === undefined) {
        held.arrived()
        return pipe?.send(text)
      }
      held.lost()
      if (id === undefined) throw gone
      inlet.unanswered(id, gone)
    },
    agreed() {},
    listen() {},
    session: () => undefined,
    async close() {
      closed = true
      await pipe?.close()
    },
  }
}
