import { APICallError } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { refusalOf } from '../../src/models/refusal.ts'

const failing = (thrown: unknown) =>
  ({ provider: 'p', modelId: 'm', doGenerate: () => Promise.reject(thrown) }) as unknown as LanguageModel

function status(statusCode: number): APICallError {
  return new APICallError({ message: 'no', url: 'http://x', requestBodyValues: {}, statusCode })
}

it.each([
  [401, 'no (status 401)'],
  [403, 'no (status 403)'],
  [404, 'no (status 404)'],
  [429, undefined],
  [503, undefined],
])('%i', async (code, refusal) => {
  expect(await refusalOf(failing(status(code)))).toBe(refusal)
})

it('tells nobody at all from a connection that was lost', async () => {
  const system = (code: string) =>
    Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })
  expect(await refusalOf(failing(system('ECONNREFUSED')))).toContain('fetch failed')
  expect(await refusalOf(failing(system('ECONNRESET')))).toBeUndefined()
})
