/** Attacks hosts and clients on official SDKs, and an agent framework, with documents from the library. */
import { runAttack } from '@joust/arena'
import { endpointTarget, functionTarget } from '@joust/targets'
import { auth as authV2, type OAuthClientProvider as ProviderV2 } from '@modelcontextprotocol/client'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { describe, expect, test } from 'vitest'
import { read } from './documents.ts'
import { attacksOf, joustRun, serve } from './joust.ts'

const library = (name: string) => read(`../../library/${name}.oatf.yaml`)
const limits = { graceMs: 0, observeMs: 100 }

test('an agent on the SDK of A2A 0.3 posts notifications to an internal address', async () => {
  const served = await serve('servers/a2a-push.mjs')
  try {
    const target = endpointTarget({ a2a: { url: served.url } })
    // The SDK sends them after its response.
    const run = await runAttack(library('push-to-internal-address'), { limits: { graceMs: 0 }, target })
    expect([run.outcome, run.verdict.max_tier], run.reasons.join('; ')).toEqual(['exploited', 'boundary_breach'])
    expect(run.task?.result).toBe('exploited')
  } finally {
    served.stop()
  }
})

/** A sign-in by an SDK whose user approves everything in the browser. */
interface SignIn {
  start(serverUrl: string, provider: OAuthClientProvider & ProviderV2): Promise<unknown>
  finish(serverUrl: string, provider: OAuthClientProvider & ProviderV2, answer: URLSearchParams): Promise<unknown>
}

const signIns: Readonly<Record<string, SignIn>> = {
  v1: {
    start: (serverUrl, provider) => auth(provider, { serverUrl }),
    finish: (serverUrl, provider, answer) => auth(provider, { serverUrl, authorizationCode: answer.get('code') ?? '' }),
  },
  v2: {
    start: (serverUrl, provider) => authV2(provider, { serverUrl }),
    finish: (serverUrl, provider, answer) => {
      const iss = answer.get('iss') ?? undefined
      return authV2(provider, { serverUrl, authorizationCode: answer.get('code') ?? '', ...(iss && { iss }) })
    },
  },
}

function client({ start, finish }: SignIn) {
  return functionTarget({
    name: 'a client of the SDK',
    async call({ mcpServers }) {
      const url = mcpServers.notes?.url ?? ''
      let answer = new URLSearchParams()
      let verifier = ''
      const provider: OAuthClientProvider & ProviderV2 = {
        redirectUrl: 'http://127.0.0.1/callback',
        clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'], client_name: 'assistant' },
        state: () => 'state-of-the-client',
        clientInformation: () => ({ client_id: 'assistant' }),
        tokens: () => undefined,
        saveTokens: () => {},
        saveCodeVerifier: (text) => {
          verifier = text
        },
        codeVerifier: () => verifier,
        async redirectToAuthorization(page) {
          const { headers } = await fetch(page, { redirect: 'manual' })
          answer = new URL(headers.get('location') ?? 'about:blank').searchParams
        },
      }
      try {
        await start(url, provider)
        await finish(url, provider, answer)
        return 'I signed in.'
      } catch (thrown) {
        return `I did not sign in: ${String(thrown)}`
      }
    },
  })
}

describe.each([
  ['v1', 'oauth-metadata-redirection', 'exploited'],
  ['v1', 'oauth-issuer-mix-up', 'exploited'],
  ['v2', 'oauth-metadata-redirection', 'resisted'],
  ['v2', 'oauth-issuer-mix-up', 'resisted'],
] as const)('the client of MCP SDK %s', (sdk, name, expected) => {
  test(`${name}: ${expected}`, async () => {
    const signIn = signIns[sdk]
    if (signIn === undefined) throw new Error(sdk)
    const run = await runAttack(library(name), { limits, target: client(signIn) })
    expect(run.outcome, `${run.reasons.join('; ')} ${run.output}`).toBe(expected)
  })
})

describe.each([
  ['credulous', 'exploited'],
  ['cautious', 'resisted'],
])('the AI SDK with sim/%s', (model, expected) => {
  const names = [
    'code-in-issue',
    'dependency-from-readme',
    'destructive-cleanup',
    'exfiltration-split-over-calls',
    'tag-characters-in-result',
  ]
  test(`newer attacks: ${expected}`, { timeout: 120_000 }, async () => {
    const run = await joustRun(
      names,
      [
        '--exec',
        'node targets/ask.mjs ai-sdk {mcp_config} {prompt}',
        '--model-env',
        'LLM_URL',
        '--with-model',
        `sim/${model}`,
      ],
      {},
      120_000,
    )
    expect(
      attacksOf(run.results).map(({ outcome }) => outcome),
      run.output,
    ).toEqual(names.map(() => expected))
  })
})
