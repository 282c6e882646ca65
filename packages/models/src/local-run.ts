/** Observes model calls within this process, with the interface of a proxy run but through `fetch`, not a socket. */
import { type Clock, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import { beginCapture, type Capture } from './http/capture.ts'
import { keptPath } from './http/headers.ts'
import { attempt, type Responder } from './http/respond.ts'
import { LEFT } from './http/upstream.ts'
import type { HeaderList } from './model/call.ts'
import { diagnose } from './model/diagnostics.ts'
import { modelLimits } from './model/limits.ts'
import type { ModelRun, RunOptions } from './proxy.ts'
import { createLog } from './run-log.ts'
import { wireOf } from './wire/table.ts'
import type { Reply } from './wire/write-answer.ts'

/** The source of the responses: the network through the given `fetch`, or a function. */
export type LocalSource = { readonly fetch: typeof fetch } | { readonly answer: Responder }

/** Options for {@link openLocalRun}. */
export type LocalRunOptions = LocalSource &
  Pick<RunOptions, 'onExchange' | 'onCall'> & {
    /** @default the system clock */
    readonly clock?: Clock
  }

/** A run in this process. */
export interface LocalRun extends Pick<ModelRun, 'calls' | 'dropped'> {
  /** Replaces the global `fetch` in model clients. */
  readonly fetch: typeof fetch
  /** Stops recording, including calls in progress. */
  close(): void
}

/**
 * Opens a run.
 *
 * @example
 * const run = openLocalRun({ fetch, onCall: ({ model }) => console.log(model) })
 */
export function openLocalRun(options: LocalRunOptions): LocalRun {
  const { clock = systemClock } = options
  const log = createLog({ calls: modelLimits.runCalls, bytes: modelLimits.runBytes }, options)
  const open = new Set<Capture>()
  const call: typeof fetch = async (input, init) => {
    const place = log.place()
    const request = new Request(input, init)
    const forwarded = request.clone()
    const { pathname, search } = new URL(request.url)
    const arriving = { method: request.method, headers: [...request.headers], isComplete: () => true }
    const capture = tracked(beginCapture(arriving, `${pathname}${search}`, { clock, ...place }), open)
    try {
      capture.sent(new Uint8Array(await request.arrayBuffer()))
      return 'fetch' in options
        ? withCapture(await options.fetch(forwarded), capture, request.signal)
        : await answered(options.answer, capture, request)
    } catch (thrown) {
      if (request.signal.aborted) leave(capture)
      capture.note(diagnose('upstream-lost', `no response from the provider: ${messageOf(thrown)}`))
      capture.finish('unanswered')
      throw thrown
    }
  }
  return {
    fetch: call,
    calls: log.calls,
    dropped: log.dropped,
    close() {
      for (const capture of [...open]) leave(capture)
    },
  }
}

function tracked(capture: Capture, open: Set<Capture>): Capture {
  const own: Capture = {
    ...capture,
    finish(end) {
      open.delete(own)
      capture.finish(end)
    },
  }
  open.add(own)
  return own
}

function leave(capture: Capture): void {
  capture.note(diagnose('client-left', LEFT))
  capture.finish('left')
}

/** Headers about body encoding; `fetch` has already decompressed the body. */
const encodingHeaders: ReadonlySet<string> = new Set(['content-encoding', 'content-length'])

function withCapture(response: Response, capture: Capture, signal: AbortSignal): Response {
  const { status, statusText, headers, body } = response
  const list: HeaderList = [...headers].filter(([name]) => !encodingHeaders.has(name.toLowerCase()))
  capture.answered(status, list)
  if (body === null) {
    capture.finish('whole')
    return response
  }
  const reader = body.getReader()
  const recorded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          capture.finish('whole')
          controller.close()
        } else {
          capture.received(value)
          controller.enqueue(value)
        }
      } catch (thrown) {
        if (signal.aborted) leave(capture)
        capture.note(diagnose('upstream-lost', `the provider closed the connection: ${messageOf(thrown)}`))
        capture.finish('broken')
        controller.error(thrown)
      }
    },
    cancel(reason) {
      leave(capture)
      return reader.cancel(reason)
    },
  })
  return new Response(recorded, { status, statusText, headers })
}

async function answered(responder: Responder, capture: Capture, { method, signal }: Request): Promise<Response> {
  const wire = wireOf(capture.path)
  const received = { wire, method, path: keptPath(capture.path), body: capture.text() ?? '', signal }
  const reply = await attempt(responder, received)
  signal.throwIfAborted()
  for (const diagnostic of reply.diagnostics ?? []) capture.note(diagnostic)
  // A replayed call without a recorded response fails as `fetch` does.
  if (reply.status === 0) throw new TypeError('fetch failed')
  const response = new Response(bodyOf(reply), {
    status: reply.status,
    headers: reply.headers.map(([...pair]) => pair),
  })
  return withCapture(response, capture, signal)
}

function bodyOf({ pieces, isBroken = false }: Reply): ReadableStream<Uint8Array> | null {
  if (pieces.length === 0 && !isBroken) return null
  const encoder = new TextEncoder()
  const rest = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift()
      if (piece !== undefined) controller.enqueue(encoder.encode(piece))
      // The same error that `fetch` throws if a connection ends early.
      else if (isBroken) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
}
