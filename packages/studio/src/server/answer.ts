/** Answers of the server, and bodies of requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBoundedBytes } from '@joust/io'
import { err, ok, type Result, writeJson } from '@joust/source'
import { limits } from '../model/limits.ts'

/** Headers of every answer. Styles of the editor carry the nonce of the page; no other inline style or script runs. */
export function secureHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(writeJson(value))
}

export function refuse(response: ServerResponse, status: number, error: string, more: object = {}): void {
  answerJson(response, status, { error, ...more })
}

/** The body as JSON; the error is a status and a sentence. */
export async function readBody(
  request: IncomingMessage,
): Promise<
  Result<{ readonly [key: string]: unknown }, { readonly status: 400 | 413 | 415; readonly message: string }>
> {
  // A form on any page could send another content type.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return err({ status: 415, message: 'send JSON' })
  const body = createBoundedBytes(limits.bodyBytes)
  let isWhole = true
  // The excess is read as well, or the page would lose its connection before it gets the answer.
  for await (const part of request as AsyncIterable<Buffer>) isWhole = body.add(part)
  if (!isWhole) return err({ status: 413, message: `more than ${limits.bodyBytes} bytes` })
  try {
    const value: unknown = JSON.parse(body.text())
    // A JSON object has texts as keys.
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return ok(value as { readonly [key: string]: unknown })
  } catch {
    // Reported below.
  }
  return err({ status: 400, message: 'the body is not a JSON object' })
}

export function textIn(body: { readonly [key: string]: unknown }, key: string): string | undefined {
  const value = Object.hasOwn(body, key) ? body[key] : undefined
  return typeof value === 'string' ? value : undefined
}

export function textsIn(body: { readonly [key: string]: unknown }, key: string): string[] | undefined {
  const value = Object.hasOwn(body, key) ? body[key] : undefined
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}
