/** Records an exchange while it is forwarded, with bounded copies of both bodies. */
import { type Clock, createBoundedBytes } from '@joust/io'
import { defined } from '@joust/source'
import type { Exchange, ExchangeEnd, HeaderList } from '../model/call.ts'
import { diagnose, type ModelDiagnostic } from '../model/diagnostics.ts'
import { modelLimits } from '../model/limits.ts'
import { bodyText } from './body.ts'
import { keptHeaders, keptPath, secretHider } from './headers.ts'

interface ArrivingRequest {
  readonly method: string
  readonly headers: HeaderList
  /** True once the body is complete. */
  isComplete(): boolean
}

export interface Capture {
  readonly path: string
  /** Copies a chunk of the request. */
  sent(bytes: Uint8Array): void
  /** Returns the request bytes received so far; undefined if they were not recorded. */
  bytes(): Uint8Array | undefined
  text(): string | undefined
  answered(status: number, headers: HeaderList): void
  /** Copies a chunk of the response. */
  received(bytes: Uint8Array): void
  note(diagnostic: ModelDiagnostic): void
  /** Ends the exchange; later calls have no effect. */
  finish(end: ExchangeEnd): void
}

/** The destination of recorded exchanges. */
export interface CapturePlace {
  readonly clock: Clock
  readonly sequence: number
  /** Reserves memory for part of a body; returns false if too little is left. A negative number releases memory. */
  hold(bytes: number): boolean
  /** Stores the exchange and releases the reserved memory that it does not need. */
  keep(exchange: Exchange): void
}

/** Starts recording an exchange; `path` excludes the run prefix. */
export function beginCapture(arriving: ArrivingRequest, path: string, place: CapturePlace): Capture {
  const { method, headers } = arriving
  const { clock, sequence } = place
  const started = clock.now()
  const hide = secretHider(headers, path)
  const hiddenIn = (list: HeaderList): HeaderList => keptHeaders(list).map(([name, value]) => [name, hide(value)])
  const request = createCopy('request', modelLimits.requestBytes, place, hide)
  const answer = createCopy('answer', modelLimits.answerBytes, place, hide)
  const diagnostics: ModelDiagnostic[] = []
  let head: { readonly status: number; readonly headers: HeaderList; readonly first: number } | undefined
  let isOver = false
  return {
    path,
    sent: request.add,
    bytes: request.bytes,
    text: () => request.read(headers, () => {}),
    answered: (status, list) => {
      head = { status, headers: list, first: clock.now() - started }
    },
    received: answer.add,
    note: (diagnostic) => {
      if (!isOver) diagnostics.push(diagnostic)
    },
    finish(end) {
      if (isOver) return
      isOver = true
      const note = (diagnostic: ModelDiagnostic) => void diagnostics.push(diagnostic)
      // An exchange may end before the request is complete.
      const body = arriving.isComplete() ? request.read(headers, note) : undefined
      place.keep({
        ...{ sequence, method, path: keptPath(path), end, started, duration: clock.now() - started, diagnostics },
        request: { headers: hiddenIn(headers), size: request.size(), ...defined({ body }) },
        ...(head && {
          first: head.first,
          answer: {
            ...{ status: head.status, headers: hiddenIn(head.headers), size: answer.size() },
            ...defined({ body: answer.read(head.headers, note) }),
          },
        }),
      })
    },
  }
}

function createCopy(
  kind: 'request' | 'answer',
  limit: number,
  place: Pick<CapturePlace, 'hold'>,
  hide: (text: string) => string,
) {
  let bytes: ReturnType<typeof createBoundedBytes> | undefined = createBoundedBytes(limit)
  let size = 0
  return {
    size: () => size,
    bytes: () => bytes?.bytes(),
    add(piece: Uint8Array): void {
      size += piece.length
      if (bytes === undefined) return
      if (size <= limit && place.hold(piece.length)) bytes.add(piece)
      else {
        place.hold(-bytes.size())
        bytes = undefined
      }
    },
    read(headers: HeaderList, note: (diagnostic: ModelDiagnostic) => void): string | undefined {
      if (bytes === undefined) {
        const reason = size > limit ? `more than the limit of ${limit}` : 'but the record of this run is full'
        note(diagnose(`${kind}-too-large`, `the ${kind} has ${size} bytes, ${reason}`))
        return undefined
      }
      const read = bodyText(bytes.bytes(), headers, kind)
      if ('text' in read) return hide(read.text)
      note(read.diagnostic)
      return undefined
    },
  }
}
