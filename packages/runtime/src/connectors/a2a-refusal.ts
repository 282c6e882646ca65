/** Which failures of the SDK's client are its own word on an answer, and not the agent's or the network's. */

/** Notes whether the last request was answered. */
interface Hearing {
  readonly fetch: typeof fetch
  /** Whether a failure says that an answer which came was not taken. */
  refuses(thrown: unknown): boolean
}

/** Listens to the requests of one message. */
export function hear(reach: typeof fetch): Hearing {
  let answered = false
  return {
    async fetch(input, init) {
      answered = false
      const response = await reach(input, init)
      answered = response.ok
      return response
    },
    refuses: (thrown) => answered && !isOfAgent(thrown) && !isOfNetwork(thrown),
  }
}

/** An error that the agent answered with; in a stream it is the cause of what is thrown. */
function isOfAgent(thrown: unknown): boolean {
  const error = [thrown, field(thrown, 'cause')].find((one) => field(one, 'transport') !== undefined)
  if (error === undefined) return false
  // For some malformed answers the SDK makes up an error of the server, which then answers no request.
  const envelope = field(error, 'errorResponse')
  return envelope === undefined || field(envelope, 'id') !== null
}

/** A connection that broke before the answer was complete. */
function isOfNetwork(thrown: unknown): boolean {
  return thrown instanceof TypeError && typeof field(thrown.cause, 'code') === 'string'
}

function field(thing: unknown, name: string): unknown {
  return typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined
}
