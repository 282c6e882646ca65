/** A rendered app: its browser page, messages and network accesses. */
import { ArenaError } from '@joust/arena'
import { pause, systemClock } from '@joust/io'
import { own, ownText, type Value } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { type BrowserEvent, type Chromium, startChromium } from './chromium.ts'
import { type NetworkAccess, networkAccess } from './network.ts'
import { APP_PAGE, BINDING, HOST_PAGE, hostPage, SANDBOX_PAGE, sandboxPage } from './pages.ts'

interface ViewOptions {
  readonly html: string
  readonly conversation: string
  /** Renders the app on another origin, with the `sandbox` attribute. */
  readonly isSandboxed: boolean
  /** Content Security Policy of the app; undefined if no policy applies. */
  readonly csp: string | undefined
  /** Receives each message from the app, as JSON. */
  readonly onMessage: (text: string) => void
  /** Called with each network access. Nothing leaves the browser. */
  readonly onNetwork: (access: NetworkAccess) => void
}

interface View {
  load(): Promise<void>
  deliver(message: string): Promise<void>
  /**
   * Resolves once the app has loaded and both app and host are idle, or on timeout. Rejects with an `ArenaError` if the
   * app has not loaded or its page does not respond, because the app may not have acted yet.
   */
  settled(isBusy: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Opens an empty view in a separate browser. Rejects with an `ArenaError`. */
export async function openView(options: ViewOptions): Promise<View> {
  const begun = systemClock.now()
  const state: { last: number; loadedAt?: number } = { last: begun }
  const page = createPage(options, () => {
    state.loadedAt ??= systemClock.now()
  })
  const browser = await startChromium((event) => {
    state.last = systemClock.now()
    // The page may be closed before the response.
    page.take(event, browser).catch(() => {})
  })
  return {
    async load() {
      await browser.send('Target.setAutoAttach', AUTO_ATTACH)
      await browser.send('Target.createTarget', { url: 'about:blank' })
    },
    deliver(message) {
      state.last = systemClock.now()
      return page.deliver(message, browser)
    },
    async settled(isBusy) {
      const loadEnd = begun + targetLimits.browserMs
      await until(() => state.loadedAt !== undefined, loadEnd)
      if (state.loadedAt === undefined)
        throw new ArenaError('timed_out', `the app did not load ${inTime(loadEnd - begun)}`)
      const end = state.loadedAt + targetLimits.appMs
      const isQuiet = () => !isBusy() && systemClock.now() - state.last >= targetLimits.appQuietMs
      while (await until(isQuiet, end)) {
        // On a busy machine, messages may be in transit for longer than this period.
        const start = systemClock.now()
        await page.respond(browser)
        if (systemClock.now() - start < targetLimits.appQuietMs && isQuiet()) return
        state.last = systemClock.now()
      }
    },
    close: () => browser.close(),
  }
}

/** Waits for a condition; returns false if it is not met by the end time. */
async function until(isMet: () => boolean, end: number): Promise<boolean> {
  while (!isMet()) {
    if (systemClock.now() >= end) return false
    await pause(systemClock, targetLimits.appPollMs)
  }
  return true
}

function inTime(milliseconds: number): string {
  return `within ${milliseconds / 1000} s`
}

/** Parameters that stop every page, frame and worker before its first request. */
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** An expression that resolves after all pending tasks. */
const TASK = { expression: 'new Promise((resolve) => setTimeout(resolve))', awaitPromise: true }

interface Page {
  take(event: BrowserEvent, browser: Chromium): Promise<void>
  deliver(message: string, browser: Chromium): Promise<void>
  /** Resolves once every page and frame has run a task. Rejects with an `ArenaError` if one does not respond. */
  respond(browser: Chromium): Promise<void>
}

function createPage(options: ViewOptions, onLoaded: () => void): Page {
  /** The session of the host page, and the id of its script context. */
  const host = { session: '', frame: '', context: 0 }
  const frames = new Set<string>()
  let events = 0
  const isWithin = () => ++events <= targetLimits.appEvents
  const deliver = async (message: string, browser: Chromium) => {
    const expression = `deliver(${message.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})`
    await browser.send('Runtime.evaluate', { expression }, host.session)
  }
  const takeMessage = (payload: string, browser: Chromium) => {
    const { from, text } = readJson<{ from: string; text: string }>(payload)
    const method = ownText(readJson<Value>(text), 'method') ?? ''
    const isReserved = options.isSandboxed && method.startsWith('ui/notifications/sandbox-')
    if (from === 'page' || method === 'ui/notifications/sandbox-loaded') onLoaded()
    else if (isReserved) return deliver(resourceReady(options.html), browser)
    else if (isWithin()) options.onMessage(text)
    return undefined
  }
  return {
    deliver,
    respond: (browser) => responseOf(frames, browser),
    async take(event, browser) {
      const { method, params, session } = event
      if (method === 'Target.detachedFromTarget') frames.delete(ownText(params, 'sessionId') ?? '')
      if (method === 'Target.attachedToTarget') {
        const attached = ownText(params, 'sessionId') ?? ''
        if (/^(?:page|iframe)$/.test(ownText(own(params, 'targetInfo') ?? null, 'type') ?? '')) frames.add(attached)
        const isHost = host.session === ''
        if (isHost) host.session = attached
        if (isHost) host.frame = ownText(own(params, 'targetInfo') ?? null, 'targetId') ?? ''
        return attach(browser, attached, isHost)
      }
      // A page that is left before it has loaded has no `load` event.
      if (method === 'Page.frameStoppedLoading' && session === host.session && !options.isSandboxed)
        if (ownText(params, 'frameId') !== host.frame) onLoaded()
      if (method === 'Runtime.executionContextCreated' && session === host.session) {
        const context = own(params, 'context') ?? null
        const isHost = own(own(context, 'auxData') ?? null, 'frameId') === host.frame
        if (isHost) host.context = Number(own(context, 'id'))
      }
      // Frames have the function too, but only the host page may call it.
      if (method === 'Runtime.bindingCalled' && own(params, 'executionContextId') === host.context)
        return takeMessage(ownText(params, 'payload') ?? '', browser)
      if (method === 'Fetch.requestPaused' && (await fulfil(options, event, browser))) return undefined
      const access = networkAccess(event)
      if (access !== undefined && isWithin()) options.onNetwork(access)
      return undefined
    },
  }
}

async function responseOf(frames: ReadonlySet<string>, browser: Chromium): Promise<void> {
  const waiting = new Set(frames)
  for (const session of frames)
    browser.send('Runtime.evaluate', TASK, session).then(
      () => waiting.delete(session),
      () => {},
    )
  const { appMs } = targetLimits
  // Frames may be removed before they respond.
  const isAnswered = () => [...waiting].every((session) => !frames.has(session))
  if (await until(isAnswered, systemClock.now() + appMs)) return
  throw new ArenaError('timed_out', `the app's page did not respond ${inTime(appMs)}`)
}

async function attach(browser: Chromium, session: string, isHost: boolean): Promise<void> {
  const domains = ['Fetch.enable', 'Network.enable', 'Audits.enable', 'Runtime.enable', 'Page.enable']
  await Promise.all([
    ...domains.map((method) => browser.send(method, {}, session)),
    browser.send('Target.setAutoAttach', AUTO_ATTACH, session),
    ...(isHost ? [browser.send('Runtime.addBinding', { name: BINDING }, session)] : []),
  ])
  await browser.send('Runtime.runIfWaitingForDebugger', {}, session)
  if (isHost) await browser.send('Page.navigate', { url: HOST_PAGE }, session)
}

/** Responds to requests for the known pages. Blocks any other request and returns false. */
async function fulfil(options: ViewOptions, { params, session }: BrowserEvent, browser: Chromium): Promise<boolean> {
  const { html, conversation, isSandboxed, csp } = options
  const pages = new Map([
    [HOST_PAGE, [hostPage(conversation, isSandboxed), undefined] as const],
    isSandboxed ? [SANDBOX_PAGE, [sandboxPage, csp] as const] : [APP_PAGE, [html, csp] as const],
  ])
  const requestId = own(params, 'requestId') ?? ''
  const url = ownText(own(params, 'request') ?? null, 'url') ?? ''
  const [text, policy] = (own(params, 'resourceType') === 'Document' ? pages.get(url) : undefined) ?? []
  if (text === undefined) {
    // An aborted navigation leaves the page unchanged.
    await browser.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, session)
    return false
  }
  const responseHeaders = [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    ...(policy === undefined ? [] : [{ name: 'content-security-policy', value: policy }]),
  ]
  const body = Buffer.from(text).toString('base64')
  await browser.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body }, session)
  return true
}

function resourceReady(html: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } })
}

function readJson<T>(text: string): T {
  return JSON.parse(text)
}
