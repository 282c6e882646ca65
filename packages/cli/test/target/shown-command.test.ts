import { expect, test } from 'vitest'
import { withoutSecretValues } from '../../src/target/shown-command.ts'

test.each([
  ['agent --api-key abc --model m', 'agent --api-key [hidden] --model m'],
  ['agent --cookie abc --authorization=xyz', 'agent --cookie [hidden] --authorization=[hidden]'],
  ['agent --token=abc {prompt}', 'agent --token=[hidden] {prompt}'],
  ['env OPENAI_API_KEY=abc LANG=C agent', 'env OPENAI_API_KEY=[hidden] LANG=[hidden] agent'],
  ['agent --key --next', 'agent --key --next'],
  ['agent url={a.url}', 'agent url={a.url}'],
])('%s', (command, shown) => {
  expect(withoutSecretValues(command)).toBe(shown)
})
