/** Requests that are answered from a recording. */
import { isRecord, own } from '@joust/source'
import { ArenaError, type ArenaErrorCode } from '../model/errors.ts'
import type { HttpCall, HttpSend } from '../model/http.ts'
import { bytesOf, requestOf } from './record-http.ts'
import type { RecordedEnd, RecordedFailure } from './recording.ts'
import type { Shelf } from './shelf.ts'

/** A transport that reaches nobody. */
export function replayHttp(shelf: Shelf): HttpSend {
  return async (call) => {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was stopped')
    const { head, parts = [], end } = shelf.take('http', requestOf(call))
    if (!isRecord(head)) {
      if (typeof end === 'object') throw revived(end)
      return stopped(call)
    }
    const headers = own(head, 'headers')
    return {
      status: Number(own(head, 'status')),
      // Texts by name when they were recorded.
      headers: (isRecord(headers) ? headers : {}) as Record<string, string>,
      body: bodyOf(parts, end, call),
    }
  }
}

async function* bodyOf(parts: readonly unknown[], end: RecordedEnd, call: HttpCall): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was stopped')
    yield bytesOf(part)
  }
  if (end === 'done') return
  if (end !== 'open') throw revived(end)
  await stopped(call)
}

/** What had not ended when the run was over does not end before this one is. */
function stopped({ signal }: HttpCall): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new ArenaError('stopped', 'the request was stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function revived({ code = 'connection_lost', message }: RecordedFailure): ArenaError {
  // Transports reject with nothing else, so the code is one of ours.
  return new ArenaError(code as ArenaErrorCode, message)
}
