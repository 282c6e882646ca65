/** All streams of an actor, found by the ids of their events. */
import { bounds } from '../../model/limits.ts'
import type { Session, Sessions } from './sessions.ts'
import { Stream } from './stream.ts'

/** All streams of an actor. */
export interface Streams {
  open(session: Session, listening: boolean): Stream
  /** The stream of a session that an event is from, and the number of that event. */
  find(session: Session, eventId: string): { readonly stream: Stream; readonly after: number } | undefined
  /** An open listening stream of a session. */
  listening(session: Session): Stream | undefined
  /** Ends the streams of a session, or all of them. */
  end(session?: Session): void
}

/** No streams yet. */
export function createStreams(sessions: Sessions): Streams {
  const streams = new Map<string, Stream>()
  let last = 0
  const makeRoom = () => {
    for (const [id, stream] of streams) {
      if (streams.size < bounds.mcpStreams) return
      if (!stream.connected) streams.delete(id)
    }
  }
  return {
    open(session, listening) {
      makeRoom()
      const id = String(++last)
      const stream = new Stream(id, sessions, session, listening)
      streams.set(id, stream)
      return stream
    },
    find(session, eventId) {
      const [id = '', number = ''] = eventId.split('-')
      const stream = streams.get(id)
      if (stream?.session !== session || !/^\d{1,15}$/.test(number)) return undefined
      return { stream, after: Number(number) }
    },
    listening: (session) =>
      [...streams.values()].find((stream) => stream.listening && stream.session === session && stream.connected),
    end(session) {
      const ending = [...streams].filter(([, stream]) => session === undefined || stream.session === session)
      for (const [id, stream] of ending) {
        streams.delete(id)
        stream.finish()
      }
    },
  }
}
