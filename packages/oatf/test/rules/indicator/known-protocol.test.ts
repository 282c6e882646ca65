import { messageWithHint } from '@joust/source'
import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const indicator = (protocol: string) => `attack: {execution: {mode: mcp_server}, indicators: [{protocol: ${protocol}}]}`
const path = 'attack.indicators[0].protocol'

testRule('W-003', {
  valid: [
    indicator('mcp'),
    indicator('a2a'),
    indicator('ag_ui'),
    indicator('Not-A-Name'),
    indicator('5'),
    'attack: {execution: {mode: voice_server}, indicators: [{}]}',
  ],
  invalid: [
    [indicator('mpc'), path],
    [indicator('voice'), path],
    ['attack: {execution: {mode: voice_server}, indicators: [{protocol: voice}]}', path],
  ],
  message: 'unknown protocol "mpc"; expected one of: mcp, a2a, ag_ui. Did you mean "mcp"?',
})

test('guesses at the protocols of the actors too', () => {
  const text = `attack:
  execution: {actors: [{mode: voice_server}]}
  indicators: [{protocol: vioce}, {protocol: voice}]`
  expect(findings('W-003', text).map(messageWithHint)).toEqual([
    'unknown protocol "vioce"; expected one of: mcp, a2a, ag_ui. Did you mean "voice"?',
    'unknown protocol "voice"; expected one of: mcp, a2a, ag_ui.',
  ])
})
