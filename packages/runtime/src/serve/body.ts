/** The JSON body of a request, within bounds. */

import type { IncomingMessage } from 'node:http'
import { createBoundedBytes, strictText } from '@joust/io'
import { defaultLimits, err, type Result, readExactDoubles, type Value } from '@joust/source'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

/** Why there is no body to work with; `status` is HTTP's. */
interface BodyFault {
  readonly status: 400 | 413 | 415
  readonly message: string
}

/** Reads the body. One that is too large is not kept. */
export async function readBody(
  request: IncomingMessage,
  most: number = runtimeLimits.bodyBytes,
): Promise<Result<Value, BodyFault>> {
  const type = (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return fault(415, `the body must be application/json, not ${JSON.stringify(type)}`)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') return fault(415, `the body must not be encoded (${JSON.stringify(encoding)})`)
  if (Number(request.headers['content-length'] ?? 0) > most) {
    request.resume()
    return tooLarge(most)
  }
  const bytes = await collect(request, most)
  if (bytes === undefined) return tooLarge(most)
  const decoded = strictText(bytes)
  if (decoded.fault !== undefined) return fault(400, 'the body is not UTF-8')
  const read = readExactDoubles(decoded.text, { ...defaultLimits, yamlBytes: most })
  if (!read.ok) return fault(400, read.error[0]?.message ?? 'the body is not JSON')
  const value = toValue(read.value)
  return value.ok ? value : fault(400, `the body cannot be used: ${value.error}`)
}

/** Undefined when there is too much; the rest is then read and dropped, so that the client gets the answer. */
function collect(request: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const body = createBoundedBytes(most)
    request.on('data', (chunk: Buffer) => body.add(chunk) || resolve(undefined))
    request.on('end', () => resolve(body.bytes()))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the client disconnected')))
  })
}

function tooLarge(most: number): Result<never, BodyFault> {
  return fault(413, `the body is larger than ${most} bytes`)
}

function fault(status: BodyFault['status'], message: string): Result<never, BodyFault> {
  return err({ status, message })
}
