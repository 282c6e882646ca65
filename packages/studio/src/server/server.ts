/** The studio server on loopback, protected by a token. */

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { err, ok, type Result } from '@joust/source'
import { openStoredCampaigns } from './campaigns.ts'
import { openStudioFolder } from './folder.ts'
import { admit, cookieName, TOKEN } from './gate.ts'
import { openStoredRuns } from './results.ts'
import { answer, answerJson, type RouteContext, refused, type StudioWork } from './routes.ts'
import { createSuites } from './suites.ts'

/** Options for {@link openStudio}. */
export interface StudioOptions {
  readonly folder: string
  /** Folder that contains the built page. */
  readonly client: string
  /** The port to listen on. @default any free port */
  readonly port?: number
  readonly work: StudioWork
}

export interface Studio {
  /** URL with the token, which allows writing files and starting runs. */
  readonly address: string
  readonly port: number
  /** Stops running suites and closes the server. */
  close(): Promise<void>
}

/**
 * Starts a studio server.
 *
 * @example
 * const start = async (work: Parameters<typeof openStudio>[0]['work']) => {
 *   const studio = await openStudio({ folder: '.', client: 'dist/client', work })
 *   if (studio.ok) console.log(studio.value.address)
 * }
 */
export async function openStudio({ folder, client, port = 0, work }: StudioOptions): Promise<Result<Studio, string>> {
  const files = readClient(client)
  if (files === undefined) return err('the studio page is not built: run npm run build')
  const token = randomBytes(24).toString('base64url')
  const studioFolder = openStudioFolder(folder)
  const suites = createSuites(work.run)
  const campaigns = openStoredCampaigns(work.campaigns)
  const stored = openStoredRuns(studioFolder.root, campaigns)
  const context: RouteContext = { folder: studioFolder, stored, suites, work }
  const server = createServer((request, response) => {
    void handle(context, files, token, server, request, response).catch((thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : 'internal error, please report it'
      if (response.headersSent) response.destroy()
      else answerJson(response, refused(500, message))
    })
  })
  const fault = await listening(server, port)
  if (fault !== undefined) return err(fault)
  const bound = portOf(server)
  return ok({
    port: bound,
    address: `http://127.0.0.1:${bound}/?${TOKEN}=${token}`,
    async close() {
      await suites.close()
      await campaigns.close()
      server.close()
      server.closeAllConnections()
    },
  })
}

async function handle(
  context: RouteContext,
  files: ReadonlyMap<string, ClientFile>,
  token: string,
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const nonce = randomBytes(12).toString('base64url')
  for (const [name, value] of Object.entries(secureHeaders(nonce))) response.setHeader(name, value)
  const url = new URL(request.url ?? '/', 'http://studio.invalid')
  const admission = admit(request, url, token, portOf(server))
  if (admission.as === 'refused') return refuse(request, response, admission)
  if (admission.as === 'login') {
    const cookie = `${cookieName(portOf(server))}=${token}; HttpOnly; SameSite=Strict; Path=/`
    // Removes the token from the URL, and thus from the browser history and from screenshots.
    response.writeHead(303, { location: '/', 'set-cookie': cookie }).end()
    return
  }
  const file = request.method === 'GET' ? files.get(url.pathname === '/' ? '/index.html' : url.pathname) : undefined
  if (file !== undefined) return sendFile(response, file, nonce)
  if (!(await answer(context, url, request, response))) answerJson(response, refused(404, 'not found'))
}

/** Headers of every response. Styles of the editor have the page's nonce; other inline styles are blocked. */
function secureHeaders(nonce: string): Readonly<Record<string, string>> {
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

function refuse(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  if (headers.accept?.includes('text/html') === true)
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`joust: ${message}\n`)
  else answerJson(response, refused(status, message))
}

function sendFile(response: ServerResponse, { type, bytes }: ClientFile, nonce: string): void {
  const body = type.startsWith('text/html') ? bytes.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce) : bytes
  response.writeHead(200, { 'content-type': type }).end(body)
}

function listening(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? `port ${port} is in use: choose another with --port` : error.message)
    })
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
}

function portOf(server: Server): number {
  // A server that listens on a port has an address of this type.
  return (server.address() as AddressInfo).port
}

interface ClientFile {
  readonly type: string
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

function readClient(folder: string): ReadonlyMap<string, ClientFile> | undefined {
  try {
    const files = readdirSync(folder).flatMap((name) => {
      const type = types[extname(name)]
      return type === undefined ? [] : [[`/${name}`, { type, bytes: readFileSync(join(folder, name)) }] as const]
    })
    return files.some(([path]) => path === '/index.html') ? new Map(files) : undefined
  } catch {
    return undefined
  }
}

const NONCE_PLACEHOLDER = '__NONCE__'
