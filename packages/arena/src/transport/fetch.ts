/** `fetch` by another way: for clients that want one, over a network in memory. */
import type { HttpAnswer, HttpSend } from '../model/http.ts'

/** Statuses that have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** A `fetch` that sends its requests through a given way. Follows no redirects. */
export function fetchOver(send: HttpSend): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, signal } = request
    const content = request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }
    const call = { method, url, headers: Object.fromEntries(request.headers), signal, ...content }
    const answer = await send(call).catch((thrown: unknown) => {
      throw signal.aborted ? signal.reason : thrown
    })
    const { status, headers } = answer
    return new Response(bodiless.has(status) ? null : streamOf(answer), { status, headers })
  }
}

function streamOf({ body }: HttpAnswer): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
