/** Environment variables with the address of a model API, and the address that each agent would have used. */
import { err, ok, type Result } from '@joust/source'

/** A variable that clients of a model API read. */
interface ModelVariable {
  readonly name: string
  /** The address that clients use without the variable. */
  readonly address: string
  /** The variables with the API key. */
  readonly keys: readonly string[]
}

const OPENAI = { address: 'https://api.openai.com/v1', keys: ['OPENAI_API_KEY'] } as const

/** All known variables; `clients.ts` has the agents that read them. */
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

/** The route from an agent to one model API. */
export interface ModelRoute {
  /** The variable that the agent reads the address from. */
  readonly variable?: string
  readonly keys: readonly string[]
  /** The address that the agent would have used. */
  readonly address: string
  /** True if the user has set the variable. */
  readonly isSet: boolean
  /** The path at the provider for the path of a request. */
  readonly rewrite?: (path: string) => string
}

/** The settings of the model proxy for a target. */
export interface ModelProxySetting {
  /** The address of the model API. @default the value of each variable, or else the provider's address */
  readonly upstream?: string
  /** The variables that are set to the address of the proxy. @default [] */
  readonly env?: readonly string[]
}

/**
 * The routes of a target, at least one: one for each variable, or one for `{model_url}`. `setValue` returns the value of a
 * variable as the user has set it. Without `needsUpstream`, an unknown address is not an error.
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
      return err(`the model API behind ${name} is unknown: set ${name}, or name the address with --model-upstream`)
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
  // The loop runs at least once.
  return ok([first as ModelRoute, ...others])
}

function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`)
    return undefined
  // The address may contain a secret, so the message does not repeat it.
  return 'the address of a model API must be an http or https address without credentials or a query'
}

/** The AI SDK expects the version in the address, the Anthropic SDK adds it; the provider has only paths with it. */
function withVersion(path: string): string {
  return /^\/(?:messages|models)(?![^/?])/.test(path) ? `/v1${path}` : path
}
