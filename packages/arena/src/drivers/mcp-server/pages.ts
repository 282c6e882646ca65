/**
 * The extension `x-joust-pages` of an `mcp_server`: HTTP pages outside MCP, such as OAuth metadata, sign-in and token
 * endpoint. `[{ path, when, content: { status, headers, body } }]`: the first matching entry is sent.
 */
import { statusOf } from '@joust/oatf'
import { describeValue, own, ownList, type Value, type ValueRecord, valueToText } from '@joust/source'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import type { Scene, Stage } from '../driver.ts'
import { requestText } from '../http-body.ts'
import { settled } from '../retries.ts'
import { sentHeaders } from '../written-headers.ts'

const PAGES = 'x-joust-pages'
const SURFACE = 'http/page'

/** Serves a page; the request is an `http/page` event. Returns false if the current state does not have the page. */
export async function servePage(
  stage: Stage,
  request: HttpRequest,
  reply: HttpReply,
  endpoint: string,
): Promise<boolean> {
  const path = pagePath(request, endpoint)
  if (pagesAt(stage.scene(), path).length === 0) return false
  const content = contentOf(request, path)
  const message = { direction: 'request', surface: SURFACE, content, headers: request.headers } as const
  await stage.receive(message, async (scene) => {
    const withHeaders = stage.withHeaders(content, request.headers)
    const entry = stage.choose(pagesAt(scene, path), withHeaders, PAGES)
    const page = stage.fill(entry?.content ?? { status: 404 }, withHeaders)
    const held = stage.send(scene, { direction: 'response', flow: 'out', surface: SURFACE, content: page })
    await settled([held], sendPage(stage, reply, page))
  })
  return true
}

async function sendPage(stage: Stage, reply: HttpReply, page: Value): Promise<void> {
  const status = own(page, 'status')
  const body = own(page, 'body')
  const text = body === undefined ? undefined : valueToText(body, 'document')
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json'
  const code = statusOf(status, 200)
  if (code === undefined && status !== undefined)
    stage.report(
      'content-malformed',
      `${PAGES}: expected a status from 200 to 599, got ${describeValue(status)}`,
      PAGES,
    )
  reply.head(code ?? 200, { 'content-type': type, ...sentHeaders(stage, own(page, 'headers')) })
  await reply.end(text?.ok === true ? text.value : '')
}

function pagesAt({ state }: Scene, path: string): Value[] {
  return ownList(state, PAGES).filter((page) => own(page, 'path') === path)
}

/** Returns the path relative to the actor's URL. Metadata paths end with the server path (RFC 8414, RFC 9728). */
function pagePath({ target }: HttpRequest, endpoint: string): string {
  const [path = ''] = target.split('?')
  if (path.startsWith(`${endpoint}/`)) return path.slice(endpoint.length)
  const isMetadata = path.startsWith('/.well-known/') && path.endsWith(endpoint)
  return isMetadata ? path.slice(0, -endpoint.length) : path
}

function contentOf(request: HttpRequest, path: string): ValueRecord {
  const { text } = requestText(request)
  const type = request.headers['content-type'] ?? ''
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'))
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  return {
    verb: request.method,
    path,
    query: Object.fromEntries(query),
    ...(isForm && { form: Object.fromEntries(new URLSearchParams(text)) }),
    ...(!isForm && text !== '' && { body: text }),
  }
}
