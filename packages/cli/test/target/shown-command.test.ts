import { expect, test } from 'vitest'
import { secretsInCommand, withoutSecretValues } from '../../src/target/shown-command.ts'

test.each([
  ['agent --api-key abc --model m', 'agent --api-key [hidden] --model m'],
  ['agent --cookie abc --authorization=xyz', 'agent --cookie [hidden] --authorization=[hidden]'],
  ['agent --token=abc {prompt}', 'agent --token=[hidden] {prompt}'],
  ['env OPENAI_API_KEY=abc LANG=C agent', 'env OPENAI_API_KEY=[hidden] LANG=[hidden] agent'],
  ['agent --passphrase abc --credential=abc', 'agent --passphrase [hidden] --credential=[hidden]'],
  ['agent --auth abc --pass abc --pwd abc', 'agent --auth [hidden] --pass [hidden] --pwd [hidden]'],
  ['curl -u me:abc -X GET', 'curl -u [hidden] -X GET'],
  ['curl -ume:abc --proxy-user="me:a b" x', 'curl -u[hidden] --proxy-user=[hidden] x'],
  ['agent --user me -u http://h/', 'agent --user me -u http://h/'],
  [`agent '{"apiKey":"abc","model":"m"}'`, `agent '{"apiKey":[hidden],"model":"m"}'`],
  ['agent "{\\"apiKey\\": \\"abc\\"}"', 'agent "{\\"apiKey\\": [hidden]}"'],
  ['agent {model:m,api_key:abc}', 'agent {model:m,api_key:[hidden]}'],
  [
    'agent --author me --pass-env NAME --at http://key-server:80/',
    'agent --author me --pass-env NAME --at http://key-server:80/',
  ],
  ['agent --key --next', 'agent --key --next'],
  ['agent url={a.url}', 'agent url={a.url}'],
])('%s', (command, shown) => {
  expect(withoutSecretValues(command)).toBe(shown)
})

test.each([
  ['agent --passphrase abcdefgh', 'abcdefgh'],
  ['curl -u me:abcdefgh x', 'me:abcdefgh'],
  [`agent '{"apiKey":"abcdefgh"}'`, 'abcdefgh'],
  [`agent --header 'x-key: abcdefgh'`, 'abcdefgh'],
  ['env API_KEY=abcdefgh agent', 'abcdefgh'],
])('what %s holds may be repeated by the program', (command, secret) => {
  expect(secretsInCommand(command)).toContain(secret)
})
