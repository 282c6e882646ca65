/** The Content Security Policy of an app (SEP-1865, "Content Security Policy Enforcement"). */
import { ownList, type Value } from '@joust/source'

/** Derives the policy from `_meta.ui.csp` of a resource. */
export function policyOf(csp: Value): string {
  const connect = origins(csp, 'connectDomains')
  const load = origins(csp, 'resourceDomains')
  const directives = [
    ['default-src', "'none'"],
    ['script-src', "'self' 'unsafe-inline'", ...load],
    ['style-src', "'self' 'unsafe-inline'", ...load],
    ['img-src', "'self' data:", ...load],
    ['font-src', "'self'", ...load],
    ['media-src', "'self' data:", ...load],
    ['connect-src', ...orNone(connect)],
    ['frame-src', ...orNone(origins(csp, 'frameDomains'))],
    ['base-uri', ...(origins(csp, 'baseUriDomains').length > 0 ? origins(csp, 'baseUriDomains') : ["'self'"])],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
  ]
  return directives.map((words) => words.join(' ')).join('; ')
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length === 0 ? ["'none'"] : sources
}

const ORIGIN = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i

/** Returns the declared origins. Drops other values, because they could add directives or allow every host. */
function origins(csp: Value, key: string): readonly string[] {
  return ownList(csp, key).filter((one): one is string => typeof one === 'string' && ORIGIN.test(one))
}
