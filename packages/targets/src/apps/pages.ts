/** The pages of a host that renders apps: its own page, and the sandbox proxy on another origin. */

/** The URL of the host's page. */
export const HOST_PAGE = 'https://host.example/'
/** The URL of an app on the origin of the host. */
export const APP_PAGE = 'https://host.example/app'
/** The URL of the sandbox proxy. */
export const SANDBOX_PAGE = 'https://sandbox.example/'

/** The name of the function that receives messages from the host's page, as JSON. */
export const BINDING = 'joustTake'

/** The `sandbox` attribute of the frames of an app; absent without isolation. */
export const SANDBOX = 'allow-scripts'

const style = '<style>iframe { width: 600px; height: 400px; border: 1px solid }</style>'

/** A page that shows the conversation, and the app below it. */
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

/** The sandbox proxy of SEP-1865: loads the app into a frame and forwards messages. */
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
