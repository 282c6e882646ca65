/** `fetch` for untrusted peers: one host, no redirects, limited response size. */
import type { UrlBinding } from '../model/bindings.ts'
import { RefusedAnswer, throwCause } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'

export function createBoundedFetch(binding: UrlBinding, mostBytes: number = runtimeLimits.peerBytes): typeof fetch {
  const home = new URL(binding.url)
  const { fetch: reach = fetch } = binding
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input)
    if (!isSameHost(home, target)) throw new Error(`request to ${target.origin} blocked; only ${home.origin} is bound`)
    const headers = new Headers(binding.headers)
    // Protocol headers take precedence over those of the binding.
    for (const [name, value] of new Headers(init?.headers)) headers.set(name, value)
    const response = await reach(target, { ...init, headers, redirect: 'manual' }).catch(throwCause)
    return bound(response, mostBytes)
  }
}

/** True if two URLs have the same protocol, port and host. All loopback hosts count as the same host. */
export function isSameHost(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && portOf(a) === portOf(b) && hostOf(a) === hostOf(b)
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'])

function hostOf({ hostname }: URL): string {
  return loopback.has(hostname) ? 'localhost' : hostname
}

function portOf({ port, protocol }: URL): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80'
}

function bound(response: Response, mostBytes: number): Response {
  if (response.body === null) return response
  const { status, statusText, headers } = response
  const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true
  const limit = isStream ? eventLimit(mostBytes) : totalLimit(mostBytes)
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
}

function totalLimit(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let total = 0
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.length
      if (total > mostBytes) controller.error(tooLarge('the response', mostBytes))
      else controller.enqueue(chunk)
    },
  })
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Limits the size of single events, which readers buffer. The stream itself may be endless. */
function eventLimit(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  let lineIsEmpty = true
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        size++
        if (byte === LINE_FEED) {
          if (lineIsEmpty) size = 0
          lineIsEmpty = true
        } else if (byte !== CARRIAGE_RETURN) lineIsEmpty = false
        if (size > mostBytes) return controller.error(tooLarge('an event', mostBytes))
      }
      controller.enqueue(chunk)
    },
  })
}

function tooLarge(subject: string, mostBytes: number): RefusedAnswer {
  return new RefusedAnswer('http', `${subject} is larger than ${mostBytes} bytes`)
}
