/** An app's network accesses, read from browser messages. */
import { own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { BrowserEvent } from './chromium.ts'

/** A network access by an app, which was either sent or blocked by the app's policy. */
export interface NetworkAccess {
  readonly surface: 'network/sent' | 'network/blocked'
  readonly content: ValueRecord
}

const readers: Readonly<Record<string, (params: Value) => NetworkAccess | undefined>> = {
  'Fetch.requestPaused': (params) => {
    const request = own(params, 'request') ?? null
    const body = ownText(request, 'postData')
    const method = ownText(request, 'method') ?? 'GET'
    return sent(ownText(request, 'url'), method, ownText(params, 'resourceType') ?? '', body)
  },
  'Network.webSocketCreated': (params) => sent(ownText(params, 'url'), 'GET', 'WebSocket'),
  'Audits.issueAdded': (params) => {
    const details = own(own(own(params, 'issue') ?? null, 'details') ?? null, 'contentSecurityPolicyIssueDetails')
    const url = ownText(details ?? null, 'blockedURL')
    const directive = ownText(details ?? null, 'violatedDirective') ?? ''
    return url === undefined ? undefined : { surface: 'network/blocked', content: { url, directive } }
  },
}

/** Returns the network access reported by a browser message; undefined for other messages. */
export function networkAccess({ method, params }: BrowserEvent): NetworkAccess | undefined {
  return Object.hasOwn(readers, method) ? readers[method]?.(params) : undefined
}

function sent(url = '', method: string, kind: string, body?: string): NetworkAccess {
  return { surface: 'network/sent', content: { url, method, kind, ...(body !== undefined && { body }) } }
}
