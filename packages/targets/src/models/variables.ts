/** Environment variables that set the URL of a model API, and the default URLs. */
import { err, ok, type Result } from '@joust/source'

interface ModelVariable {
  readonly name: string
  /** The URL that clients use if the variable is not set. */
  readonly address: string
  readonly keys: readonly string[]
}

const OPENAI = { address: 'https://api.openai.com/v1', keys: ['OPENAI_API_KEY'] } as const

/** All known variables. `clients.ts` lists the agents that read these variables. */
export const modelVariables: readonly ModelVariable[] = [
  { name: 'OPENAI_BASE_URL', ...OPENAI },
  { name: 'OPENAI_API_BASE', ...OPENAI },
  { name: 'ANTHROPIC_BASE_URL', address: 'https://api.anthropic.com', keys: ['ANTHROPIC_API_KEY'] },
  {
    name: 'GOOGLE_GEMINI_BASE_URL',
    address: 'https://generativelanguage.googleapis.com',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
]

/** A route from an agent to one model API. */
export interface ModelRoute {
  /** The variable from which the agent reads the URL. */
  readonly variable?: string
  readonly keys: readonly string[]
  /** The URL that the agent would use without the proxy. */
  readonly address: string
  readonly isSet: boolean
  /** Rewrites a request path as the provider's path. */
  readonly rewrite?: (path: string) => string
}

/** Model proxy settings of a target. */
export interface ModelProxySetting {
  /** The URL of the model API. @default the value of each variable, or else the provider's URL */
  readonly upstream?: string
  /** Variables to set to the URL of the proxy. @default [] */
  readonly env?: readonly string[]
}

/**
 * Returns a target's routes: one for each variable, or one for `{model_url}`. `setValue` returns the value that the
 * user has set for a variable. Without `needsUpstream`, an unknown URL is not an error.
 */
export function modelRoutes(
  { env = [], upstream }: ModelProxySetting,
  setValue: (name: string) => string | undefined,
  needsUpstream = true,
): Result<readonly [ModelRoute, ...ModelRoute[]], string> {
  const routes: ModelRoute[] = []
  for (const name of env.length === 0 ? ['OPENAI_BASE_URL'] : env) {
    const row = modelVariables.find((one) => one.name === name)
    const value = setValue(name)?.trim() || undefined
    const address = upstream ?? value ?? row?.address ?? (needsUpstream ? undefined : OPENAI.address)
    if (address === undefined)
      return err(`the model API behind ${name} is unknown: set ${name}, or specify the URL with --model-upstream`)
    const fault = addressFault(address)
    if (fault !== undefined) return err(upstream === undefined ? `${name}: ${fault}` : fault)
    const isDefault = upstream === undefined && value === undefined
    routes.push({
      ...(env.length > 0 && { variable: name }),
      keys: row?.keys ?? [],
      address,
      isSet: value !== undefined,
      ...(isDefault && name === 'ANTHROPIC_BASE_URL' && { rewrite: withVersion }),
    })
  }
  const [first, ...others] = routes
  // At least one route was added.
  return ok([first as ModelRoute, ...others])
}

function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`)
    return undefined
  // Do not repeat the address, which may contain a secret.
  return 'a model API must have an http or https URL without credentials or a query'
}

/** Adds the version, which provider paths contain. The AI SDK expects it in the URL; the Anthropic SDK adds it. */
function withVersion(path: string): string {
  return /^\/(?:messages|models)(?![^/?])/.test(path) ? `/v1${path}` : path
}
