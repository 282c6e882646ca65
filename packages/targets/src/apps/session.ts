/**
 * The host side of the messages between an app and its host
 * ([SEP-1865](https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx)).
 */
import type { AppEvent } from '@joust/arena'
import {
  type Answered,
  failure,
  jsonRpcCodes,
  readMessage,
  writeAnswer,
  writeNotification,
  writeRequest,
} from '@joust/arena/wire'
import { own, ownList, ownText, type Result, type Value, type ValueRecord } from '@joust/source'
import { targetLimits } from '../limits.ts'

/** A host's security checks. Real hosts often lack some of them. */
export interface HostChecks {
  /** Renders apps in a sandbox on another origin. */
  readonly isolation: boolean
  /** Applies the Content Security Policy that the app's resource declares, or a restrictive default. */
  readonly csp: boolean
  /** Lets apps call only tools of their server with `app` in `visibility`; lets models see only tools with `model`. */
  readonly visibility: boolean
  /** Requires the user's consent to links and messages from an app. The simulated user always declines. */
  readonly consent: boolean
  /** Passes an app's context to the model as data rather than instructions. */
  readonly context: boolean
}

/** Host functions that an app can call through messages. */
interface HostPorts {
  readonly checks: HostChecks
  /** The tool for which the app was rendered, with its call and result. */
  readonly call: { readonly tool: Value; readonly arguments: Value; readonly result: Value }
  /** Calls a tool of the app's server or, if the visibility check is disabled, of any server. */
  callTool(name: string, params: Value): Promise<Result<Value, string>>
  readResource(params: Value): Promise<Result<Value, string>>
  addMessage(text: string): void
  /** Replaces the context that the app provides for the model. */
  setContext(text: string): void
  record(event: Omit<AppEvent, 'actor'>): void
  deliver(message: string): Promise<void>
}

/** The messages between the host and one app. */
interface AppSession {
  /** Handles a message from the app. Never rejects. */
  take(text: string): Promise<void>
  isBusy(): boolean
  /** Notifies an app that has completed the handshake that it is being closed. No response is needed. */
  end(): Promise<void>
}

export function createAppSession(ports: HostPorts): AppSession {
  let open = 0
  let isInitialized = false
  const handle = async (text: string) => {
    const message = readMessage(text, targetLimits.appMessage)
    if (message.kind === 'notification') {
      isInitialized ||= message.method === INITIALIZED
      return notified(ports, message.method, message.params)
    }
    if (message.kind !== 'request') return
    const { id, method, params } = message
    if (Object.hasOwn(silent, method))
      return ports.deliver(writeAnswer(id, { result: silent[method]?.(ports, params) ?? {} }))
    ports.record({ surface: 'app/asked', content: { method, params } })
    const answer = await requested(ports, method, params)
    if ('result' in answer) ports.record({ surface: 'app/allowed', content: { method, params, result: answer.result } })
    else ports.record({ surface: 'app/refused', content: { method, params, error: answer.error } })
    await ports.deliver(writeAnswer(id, answer))
  }
  return {
    isBusy: () => open > 0,
    async end() {
      const request = writeRequest('teardown', 'ui/resource-teardown', { reason: 'the turn has ended' })
      if (isInitialized) await ports.deliver(request).catch(() => {})
    },
    async take(text) {
      open += 1
      // The page may already be closed.
      await handle(text).catch(() => {})
      open -= 1
    },
  }
}

const INITIALIZED = 'ui/notifications/initialized'

/** Requests that only affect the view and are not recorded. */
const silent: Readonly<Record<string, (ports: HostPorts, params: Value) => ValueRecord>> = {
  'ui/initialize': ({ call }, params) => ({
    protocolVersion: ownText(params, 'protocolVersion') ?? '2026-01-26',
    hostInfo: { name: 'simulated', version: '1.0.0' },
    hostCapabilities: {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      message: { text: {} },
      updateModelContext: { text: {} },
    },
    hostContext: {
      toolInfo: { tool: call.tool },
      theme: 'light',
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      platform: 'web',
    },
  }),
  ping: () => ({}),
  'ui/request-display-mode': () => ({ mode: 'inline' }),
}

type Handler = (ports: HostPorts, params: Value) => Answered | Promise<Answered>

const handlers: Readonly<Record<string, Handler>> = {
  'tools/call': async (ports, params) => answerOf(await ports.callTool(ownText(params, 'name') ?? '', params)),
  'resources/read': async (ports, params) => answerOf(await ports.readResource(params)),
  'ui/open-link': ({ checks }) => (checks.consent ? declined() : { result: {} }),
  'ui/message': ({ checks, addMessage }, params) => {
    if (checks.consent) return declined()
    addMessage(textIn(own(params, 'content') ?? null))
    return { result: {} }
  },
  'ui/update-model-context': ({ setContext }, params) => {
    setContext(textIn(own(params, 'content') ?? null))
    return { result: {} }
  },
}

async function requested(ports: HostPorts, method: string, params: Value): Promise<Answered> {
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
  return handler?.(ports, params) ?? failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
}

async function notified({ call, record, deliver }: HostPorts, method: string, params: Value): Promise<void> {
  if (method === 'notifications/message') record({ surface: 'app/asked', content: { method, params } })
  // The app must not receive anything earlier.
  if (method !== INITIALIZED) return
  await deliver(writeNotification('ui/notifications/tool-input', { arguments: call.arguments }))
  await deliver(writeNotification('ui/notifications/tool-result', call.result))
}

/** Extracts text from one content item or a list of them. */
function textIn(content: Value): string {
  const items = Array.isArray(content) ? ownList({ content }, 'content') : [content]
  return items.flatMap((item) => ownText(item, 'text') ?? []).join('\n')
}

function answerOf(answer: Result<Value, string>): Answered {
  return answer.ok ? { result: answer.value } : failure(REFUSED, answer.error)
}

function declined(): Answered {
  return failure(REFUSED, 'The user has declined.')
}

/** Error code for rejected requests (SEP-1865). */
const REFUSED = -32000
