/** The table of agents against the presets and the variables that Joust sets. */
import { expect, test } from 'vitest'
import { modelClients } from '../../src/models/clients.ts'
import { modelVariables } from '../../src/models/variables.ts'
import { presets } from '../../src/presets/table.ts'

test.each(presets)('$name: its row has the variable and the version of the preset', ({ name, tried, model_proxy }) => {
  const row = modelClients.find((client) => client.name === name)
  expect(row?.tried).toBe(tried)
  const text = `${row?.setting} ${row?.remark}`
  expect((model_proxy?.env ?? []).filter((variable) => !text.includes(variable))).toEqual([])
})

test('all variables are known, and every known one has an agent', () => {
  const named = modelClients.flatMap(({ setting, remark }) => `${setting} ${remark}`.match(/[A-Z]+_[A-Z_]+/g) ?? [])
  expect([...new Set(named)].sort()).toEqual(modelVariables.map(({ name }) => name).sort())
})
