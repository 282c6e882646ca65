/** An honest request to an MCP server over HTTP, to see whether it still works after an attack. */

import { createHttpSend, type HttpSend, writeRequest } from '@joust/arena/wire'
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { joustVersion } from '@joust/source'

interface GreetingOptions {
  readonly signal: AbortSignal
  readonly send?: HttpSend | undefined
}

/** True for any answer but a failure: servers without sessions or with another version may reject the handshake. */
export async function greetServer(
  { url, headers }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> },
  { signal, send = createHttpSend() }: GreetingOptions,
): Promise<boolean> {
  const greeting = {
    protocolVersion: DEFAULT_MCP_VERSION,
    capabilities: {},
    clientInfo: { name: 'joust', version: joustVersion },
  }
  const { status, body } = await send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: writeRequest('1', 'initialize', greeting),
    signal,
  })
  await body[Symbol.asyncIterator]().return?.()
  return status < 500
}
