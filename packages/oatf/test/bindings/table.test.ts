import { describe, expect, test } from 'vitest'
import { roleOf } from '../../src/bindings/binding.ts'
import { bindings, findBinding, findMode, knownModes, knownProtocols } from '../../src/bindings/table.ts'
import { extractProtocol } from '../../src/primitives/extract-protocol.ts'

test('the modes and protocols of version 0.1', () => {
  expect(knownModes()).toEqual(['mcp_server', 'mcp_client', 'a2a_server', 'a2a_client', 'ag_ui_client'])
  expect(knownProtocols()).toEqual(['mcp', 'a2a', 'ag_ui'])
})

test.each(knownModes().map((mode) => [mode]))('%s belongs to its protocol', (mode) => {
  // Its name is the protocol's with _server or _client.
  expect(findBinding(extractProtocol(mode))?.modes.map((row) => row.mode) ?? []).toContain(mode)
  expect(findMode(mode)).toMatchObject({ mode, role: roleOf(mode) })
})

test.each([['mpc_server'], ['ag_ui_server'], ['mcp'], [''], ['constructor']])('%j is unknown', (name) => {
  expect(findMode(name)).toBeUndefined()
})

test.each([['mpc'], ['mcp_server'], [''], ['toString']])('%j is not a protocol', (name) => {
  expect(findBinding(name)).toBeUndefined()
})

describe.each(bindings.map((binding) => [binding.protocol, binding] as const))('%s', (_, binding) => {
  test('names are unique', () => {
    for (const names of [binding.surfaces, ...binding.modes.flatMap((mode) => [mode.events, mode.stateKeys])]) {
      expect(names).toEqual([...new Set(names)])
    }
  })

  test('descriptions of nested keys have a path of state keys', () => {
    for (const { stateKeys, stateTexts } of binding.modes) {
      for (const way of Object.keys(stateTexts)) expect(stateKeys).toContain(way.split('.')[0])
      for (const text of Object.values(stateTexts)) expect(text).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('an event can be the surface of an indicator', () => {
    for (const mode of binding.modes) expect(binding.surfaces).toEqual(expect.arrayContaining([...mode.events]))
  })
})

test.each([
  ['mcp_server', 'server'],
  ['mcp_client', 'client'],
  ['a2a_server', 'server'],
  ['a2a_client', 'client'],
  ['ag_ui_client', 'client'],
  ['voice_client', 'client'],
  ['voice_server', 'server'],
])('%s is a %s', (mode, role) => expect(roleOf(mode)).toBe(role))
