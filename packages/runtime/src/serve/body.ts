/** Reads JSON request bodies, with a size limit. */
import type { IncomingMessage } from 'node:http'
import { createBoundedBytes, strictText } from '@joust/io'
import { defaultLimits, err, type Result, readExactDoubles, type Value } from '@joust/source'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'

interface BodyError {
  readonly status: 400 | 413 | 415
  readonly message: string
}

/** Reads a body. Discards a body that is too large. */
export async function readBody(
  request: IncomingMessage,
  most: number = runtimeLimits.bodyBytes,
): Promise<Result<Value, BodyError>> {
  const type = (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return reject(415, `expected content type application/json, got ${JSON.stringify(type)}`)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') return reject(415, `unsupported content encoding ${JSON.stringify(encoding)}`)
  if (Number(request.headers['content-length'] ?? 0) > most) {
    request.resume()
    return tooLarge(most)
  }
  const bytes = await collect(request, most)
  if (bytes === undefined) return tooLarge(most)
  const decoded = strictText(bytes)
  if (decoded.fault !== undefined) return reject(400, 'the body is not valid UTF-8')
  const read = readExactDoubles(decoded.text, { ...defaultLimits, yamlBytes: most })
  if (!read.ok) return reject(400, read.error[0]?.message ?? 'the body is not valid JSON')
  const value = toValue(read.value)
  return value.ok ? value : reject(400, `invalid body: ${value.error}`)
}

/** Returns undefined if the body is too large. The rest is read and dropped, so that the client gets the response. */
function collect(request: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const body = createBoundedBytes(most)
    request.on('data', (chunk: Buffer) => body.add(chunk) || resolve(undefined))
    request.on('end', () => resolve(body.bytes()))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the client disconnected')))
  })
}

function tooLarge(most: number): Result<never, BodyError> {
  return reject(413, `the body is larger than ${most} bytes`)
}

function reject(status: BodyError['status'], message: string): Result<never, BodyError> {
  return err({ status, message })
}
