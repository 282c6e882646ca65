/** The library, rewritten: an agent that falls for everything falls for it as before. */
import { readdirSync, readFileSync } from 'node:fs'
import { type LoadedAttack, load, mutate, mutations } from '@joust/oatf'
import { expect, test } from 'vitest'
import { needsOf } from '../../../arena/src/model/needs.ts'
import { runAttack } from '../../../arena/src/run.ts'
import { modelTarget } from '../../../targets/src/agent.ts'

const library = new URL('../../../../library/', import.meta.url)
const attacks = readdirSync(library)
  .filter((name) => name.endsWith('.oatf.yaml'))
  .map((name) => [name, loaded(readFileSync(new URL(name, library), 'utf8'))] as const)

function loaded(text: string): LoadedAttack {
  const read = load(text)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

/** Mutations that change how an order is worded, not what it takes to read it. */
const readable = mutations()
  .filter(
    ({ name, kind }) => ['framing', 'tone', 'language', 'position', 'length'].includes(kind) && name !== 'capitals',
  )
  .map(({ name }) => name)

test.each(attacks)('%s', { timeout: 30_000 }, async (file, parent) => {
  const target = modelTarget({ model: 'sim/credulous', inProcess: true })
  if ((target.lacks?.(needsOf(parent)) ?? []).length > 0) return
  const first = attacks.findIndex(([name]) => name === file) % readable.length
  const names = [...readable.slice(first), ...readable.slice(0, first)]
  const mutant = names.map((name) => mutate(parent, name)).find(({ ok }) => ok)
  if (mutant?.ok !== true) return
  const { outcome, reasons } = await runAttack(mutant.value, { target, limits: { graceMs: 0, observeMs: 0 } })
  expect({ outcome, reasons, by: mutant.value.document.attack.name }).toMatchObject({ outcome: 'exploited' })
})
