/** Pages of a host that renders apps: its own page, and the sandbox proxy on another origin. */

export const HOST_PAGE = 'https://host.example/'
/** URL of an app on the host's own origin. */
export const APP_PAGE = 'https://host.example/app'
export const SANDBOX_PAGE = 'https://sandbox.example/'

/** The function that receives messages from the host page, as JSON. */
export const BINDING = 'joustTake'

/** The `sandbox` attribute of app frames; not set if the host does not isolate apps. */
export const SANDBOX = 'allow-scripts'

const style = '<style>iframe { width: 600px; height: 400px; border: 1px solid }</style>'

/** Returns a page that shows the conversation, with the app below. */
export function hostPage(conversation: string, isSandboxed: boolean): string {
  const text = conversation.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><title>Chat</title>${style}<main id="conversation">${text}</main><script>
const frame = document.createElement('iframe')
${isSandboxed ? `frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')` : ''}
const take = (from, data) => {
  let text
  try { text = JSON.stringify(data) } catch {}
  ${BINDING}(JSON.stringify({ from, text: text ?? 'not JSON' }))
}
addEventListener('message', ({ source, data }) => { if (source === frame.contentWindow) take('app', data) })
const deliver = (message) => frame.contentWindow.postMessage(message, '*')
${isSandboxed ? '' : `frame.addEventListener('load', () => take('page', 'loaded'))`}
frame.src = '${isSandboxed ? SANDBOX_PAGE : APP_PAGE}'
document.body.append(frame)
</script>`
}

/** The sandbox proxy of SEP-1865, which loads the app into a frame and forwards messages. */
export const sandboxPage = `<!doctype html>${style}<script>
const frame = document.createElement('iframe')
frame.setAttribute('sandbox', '${SANDBOX}')
const reserved = (data) => String(data?.method).startsWith('ui/notifications/sandbox-')
const send = (method) => parent.postMessage({ jsonrpc: '2.0', method, params: {} }, '*')
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow && !reserved(data)) parent.postMessage(data, '*')
  if (source !== parent) return
  if (!reserved(data)) return frame.contentWindow.postMessage(data, '*')
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return
  frame.addEventListener('load', () => send('ui/notifications/sandbox-loaded'))
  frame.srcdoc = data.params.html
  document.documentElement.append(frame)
})
send('ui/notifications/sandbox-proxy-ready')
</script>`
