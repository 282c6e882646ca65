/** Tests A2A 0.3 JSON-RPC documents against agents that the official SDKs serve over HTTP+JSON. */

import { runAttack } from '@joust/arena'
import { load } from '@joust/oatf'
import { endpointTarget } from '@joust/targets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve } from './joust.ts'

function attack(method: string) {
  const [surface, path] =
    method === 'message/send' ? ['message/send', 'artifacts[*].parts[*]'] : ['task/artifact', 'artifact.parts[*]']
  const loaded = load(`
oatf: "0.1"
attack:
  name: Say the word
  execution:
    mode: a2a_client
    state:
      actions:
        - method: ${method}
          params:
            message:
              kind: message
              messageId: m
              role: user
              parts:
                - { kind: text, text: say mellon }
                - { kind: data, data: { word: friend } }
            configuration: { blocking: true }
  indicators:
    - { id: T-1-01, surface: ${surface}, direction: response, target: "${path}.text", pattern: { contains: mellon } }
    - { id: T-1-02, surface: ${surface}, direction: response, target: "${path}.data.word", pattern: { contains: friend } }
  correlation: { logic: all }
`)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

describe.each(['1.0', '0.3'])('the SDK of %s', (version) => {
  let served: Served
  beforeAll(async () => {
    served = await serve('servers/a2a-rest.mjs', version)
  })
  afterAll(() => served?.stop())

  test.each(['message/send', 'message/stream'])('%s', async (method) => {
    const run = await runAttack(attack(method), {
      limits: { graceMs: 0 },
      target: endpointTarget({ a2a: { url: served.url } }),
    })
    expect([run.outcome, run.reasons]).toEqual(['exploited', []])
    expect(run.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining(`supports only A2A ${version} over HTTP+JSON`),
    ])
  })
})
