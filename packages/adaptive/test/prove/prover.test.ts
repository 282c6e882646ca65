import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AsyncSemanticEvaluator, load } from '@joust/oatf'
import { err, ok } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { createProver, type ProofCache, type ProofKey, type ProveDocumentsOptions } from '../../src/prover.ts'

const library = join(import.meta.dirname, '../../../../library')

function loaded(text: string) {
  const attack = load(text)
  if (!attack.ok) throw new Error(JSON.stringify(attack.error))
  return { file: 'a.oatf.yaml', attack: attack.value }
}

const text = readFileSync(join(library, 'agent-card-spoofing.oatf.yaml'), 'utf8')
const works = loaded(text)
const silenced = loaded(text.replaceAll(/^( +(?:contains|regex|value): ).*$/gm, '$1zzqx'))

const question = (indicators: string) =>
  loaded(`oatf: "0.1"
attack:
  name: A question of the user
  execution:
    mode: ag_ui_client
    state: { run_agent_input: { messages: [{ id: u, role: user, content: What is the capital of France? }] } }
  indicators:
    - { surface: text_message_content, target: "", ${indicators} }
`)

/** A cache in memory that counts. */
function memory() {
  const entries = new Map<string, ReturnType<ProofCache['read']>>()
  const cache: ProofCache = {
    read: (key: ProofKey) => entries.get(JSON.stringify(key)),
    write: (key, { proven, unspecific }) => void entries.set(JSON.stringify(key), { proven, unspecific }),
  }
  return { cache, entries }
}

async function proofOf(
  prover: ReturnType<typeof createProver>,
  one: ReturnType<typeof loaded>,
  options: ProveDocumentsOptions = {},
) {
  let controls = 0
  const onControl = (documents: number) => {
    controls += documents
  }
  const proofs = await prover.prove([one], { ...options, onControl })
  return { ...proofs.get(one.attack.fingerprint), controls }
}

describe('a proof comes from', () => {
  test('the library, without a run', async () => {
    const prover = createProver({ library: new Map([[works.attack.fingerprint, { unspecific: true }]]) })
    expect(await proofOf(prover, works)).toEqual({ proven: 'library', unspecific: true, controls: 0 })
  })

  test('a simulated agent, once', async () => {
    const prover = createProver()
    expect(await proofOf(prover, works)).toEqual({ proven: 'simulation', controls: 1 })
    expect(await proofOf(prover, works)).toEqual({ proven: 'simulation', controls: 0 })
  })

  test('a cache, which also knows unproven documents', async () => {
    const { cache, entries } = memory()
    await createProver({ cache }).prove([works, { ...silenced, file: 'b.oatf.yaml' }])
    expect([...entries.values()].map((entry) => entry?.proven)).toEqual([true, false])
    expect(await proofOf(createProver({ cache }), works)).toEqual({ proven: 'simulation', controls: 0 })
    expect(await proofOf(createProver({ cache }), silenced)).toEqual({ proven: 'no', controls: 0 })
    expect(await proofOf(createProver({ cache, strict: true }), works)).toEqual({ proven: 'simulation', controls: 1 })
  })

  test('the baseline, or a target that the document has exploited', async () => {
    const { fingerprint } = silenced.attack
    const before = createProver({ baseline: new Set([fingerprint]) })
    expect(await proofOf(before, silenced)).toMatchObject({ proven: 'baseline' })
    const prover = createProver()
    expect(await proofOf(prover, silenced)).toMatchObject({ proven: 'no' })
    const withdraw = prover.addExploited(fingerprint)
    expect(await proofOf(prover, silenced)).toEqual({ proven: 'results', controls: 0 })
    prover.addExploited(fingerprint)()
    expect(await proofOf(prover, silenced)).toMatchObject({ proven: 'results' })
    withdraw()
    expect(await proofOf(prover, silenced)).toMatchObject({ proven: 'no' })
  })
})

test('a document that exploits the cautious agent too is unspecific', async () => {
  const any = question('pattern: { contains: simulated }')
  expect(await proofOf(createProver(), any)).toEqual({ proven: 'simulation', unspecific: true, controls: 1 })
})

test('an interrupted control proves nothing and is not cached', async () => {
  const { cache, entries } = memory()
  const stopped = { signal: AbortSignal.abort() }
  expect(await proofOf(createProver({ cache }), works, stopped)).toMatchObject({ proven: 'no' })
  expect(entries.size).toBe(0)
})

describe('semantic indicators', () => {
  const semantic = question('semantic: { intent: "the agent answers" }')
  const judge = (evaluate: AsyncSemanticEvaluator['evaluate']) => ({ model: 'm', evaluator: { evaluate } })

  test('prove nothing without a judge', async () => {
    expect(await proofOf(createProver(), semantic)).toMatchObject({ proven: 'no' })
  })

  test('are judged in the control; the judge is part of the key', async () => {
    const { cache, entries } = memory()
    const agreed = judge(() => ok(1))
    expect(await proofOf(createProver({ cache }), semantic, { judge: agreed })).toMatchObject({ proven: 'simulation' })
    expect([...entries.keys()].map((key) => JSON.parse(key).judge)).toEqual(['m'])
    expect(await proofOf(createProver({ cache }), semantic)).toMatchObject({ proven: 'no' })
  })

  test('a judge that fails leaves nothing in the cache', async () => {
    const { cache, entries } = memory()
    const failing = judge(() => err({ kind: 'semantic_error', message: 'overloaded' }))
    expect(await proofOf(createProver({ cache }), semantic, { judge: failing })).toMatchObject({ proven: 'no' })
    expect(entries.size).toBe(0)
  })

  test('indicators without a model come first, so that the judge is not asked', async () => {
    const other = '{ surface: text_message_content, target: "", semantic: { intent: x } }'
    const both = question(`pattern: { contains: simulated } }\n    - ${other.slice(0, -1)}`)
    const asked: unknown[] = []
    const answer = (input: unknown) => {
      asked.push(input)
      return ok(0)
    }
    const proof = await proofOf(createProver(), both, { judge: judge(answer) })
    expect([proof.proven, asked]).toEqual(['simulation', []])
  })
})
