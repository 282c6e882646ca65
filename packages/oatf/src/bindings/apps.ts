/**
 * MCP Apps, the extension `io.modelcontextprotocol/ui` of
 * [SEP-1865](https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx): HTML
 * resources that a host renders, and messages about them.
 */
import { own, ownList, ownText, type Value } from '@joust/source'
import { fields, type MessageShapes, open, text } from './shape.ts'

/** The extension name in capabilities. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'

/** The MIME type of an app. */
export const APP_TYPE = 'text/html;profile=mcp-app'

/** The mode and protocol of messages about apps. */
export const MCP_APP = 'mcp_app'

const requestFields = { method: text, params: open }

/** Messages about apps. `app/asked` is sent by the app, all others by the host. */
export const appShapes: readonly MessageShapes[] = [
  { by: 'client', surface: 'app/rendered', request: fields({ uri: text, sandbox: text, csp: text }, {}) },
  { by: 'client', surface: 'app/asked', response: fields(requestFields, {}) },
  { by: 'client', surface: 'app/allowed', request: fields({ ...requestFields, result: open }, {}) },
  { by: 'client', surface: 'app/refused', request: fields({ ...requestFields, error: open }, {}) },
  {
    by: 'client',
    surface: 'network/sent',
    request: fields({ url: text, method: text, kind: text }, { body: text }),
  },
  { by: 'client', surface: 'network/blocked', request: fields({ url: text, directive: text }, {}) },
]

export function isAppUri(uri: string | undefined): boolean {
  return uri?.startsWith('ui://') === true
}

/** Returns the URI of the app that shows a tool's results, if any. */
export function appOfTool(tool: Value): string | undefined {
  const meta = own(tool, '_meta') ?? null
  // The second key is deprecated, but hosts still read it.
  return ownText(own(meta, 'ui'), 'resourceUri') ?? ownText(meta, 'ui/resourceUri')
}

export function hasApp(state: Value): boolean {
  const uris = [
    ...ownList(state, 'resources').map((one) => ownText(one, 'uri')),
    ...ownList(state, 'resource_templates').map((one) => ownText(one, 'uriTemplate')),
  ]
  return uris.some(isAppUri)
}
