import { expect, test } from 'vitest'
import { configSecrets, resolvedUrl } from '../../../src/session/config/secrets.ts'

const server = (more: object) => ({ name: 'crm', env: {}, headers: {}, ...more })

test.each([
  ['a variable', { env: { API_KEY: 'value-one', REGION: 'eu-west-1' } }, { API_KEY: 'value-one' }],
  [
    'a header, without its scheme',
    { headers: { Authorization: 'Bearer value-two' } },
    { CRM_AUTHORIZATION: 'value-two' },
  ],
  ['a variable that it names', { env: { TOKEN: `\${REAL_TOKEN}` } }, { REAL_TOKEN: 'from-outside' }],
  ['one of VS Code', { headers: { 'x-api-key': `\${env:REAL_TOKEN}` } }, { REAL_TOKEN: 'from-outside' }],
  ['an option', { command: ['x', '--api-key', 'value-three', '--name', 'something'] }, { API_KEY: 'value-three' }],
  ['an option with a sign', { command: ['x', '--token=value-four'] }, { TOKEN: 'value-four' }],
  ['a query', { url: 'https://a.example/mcp?api_key=value-five&page=12345678' }, { CRM_API_KEY: 'value-five' }],
  ['a header in an option', { command: ['x', '--header', 'X-Api-Key: value-six'] }, { X_API_KEY: 'value-six' }],
  ['a password of an address', { env: { DB: 'postgres://u:value-seven@h/d' } }, { CRM_PASSWORD: 'value-seven' }],
  ['one that is not percent-encoded', { command: ['x', 'postgres://u:five%zz@h/d'] }, { CRM_PASSWORD: 'five%zz' }],
  ['a short value that is not a word', { env: { DB_PASSWORD: 'hunter2' } }, { DB_PASSWORD: 'hunter2' }],
  ['a short word or number is not a secret', { env: { API_KEY: 'short', TOKEN: '12345' } }, {}],
])('%s', (_, more, expected) => {
  expect(configSecrets([server(more)], { REAL_TOKEN: 'from-outside' })).toEqual(expected)
})

test('two secrets of one name', () => {
  const servers = [server({ env: { API_KEY: 'value-one' } }), server({ env: { API_KEY: 'value-two' } })]
  expect(configSecrets(servers, {})).toEqual({ API_KEY: 'value-one', API_KEY_2: 'value-two' })
})

test.each([
  ['https://a.example/mcp', 'https://a.example/mcp'],
  [`\${BASE}/mcp`, 'https://b.example/mcp'],
  [`\${NONE:-https://c.example}/mcp`, 'https://c.example/mcp'],
  [`\${NONE}/mcp`, undefined],
  [`https://a.example/\${input:key}`, undefined],
  ['ftp://a.example', undefined],
  ['nonsense', undefined],
])('the address %s', (text, expected) => {
  expect(resolvedUrl(text, { BASE: 'https://b.example' })?.href).toBe(expected)
})
