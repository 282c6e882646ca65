import { expect, test } from 'vitest'
import { openTestStudio } from './open.ts'

test('the printed URL sets a cookie and redirects to a URL without the token', async () => {
  const { send, token, port } = await openTestStudio()
  const came = await send('GET', `/?token=${token}`, {})
  expect(came).toMatchObject({ status: 303, headers: { location: '/' } })
  const [cookie = ''] = came.headers['set-cookie'] ?? []
  expect(cookie).toBe(`joust-studio-${port}=${token}; HttpOnly; SameSite=Strict; Path=/`)
  const page = await send('GET', '/', { cookie: cookie.split(';')[0] ?? '' })
  expect(page.status).toBe(200)
  const nonce = /content="([^"]+)"/.exec(page.body)?.[1]
  expect(page.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
  expect(page.body).not.toContain(token)
})

test.each(['/', '/api/files', '/api/state', '/api/events', '/api/watch', '/studio.js'])(
  '%s wants the token',
  async (path) => {
    const { send } = await openTestStudio()
    expect(await send('GET', path, {})).toMatchObject({ status: 401 })
    expect(await send('GET', `${path}?token=wrong`, {})).toMatchObject({ status: 401 })
    expect(await send('GET', path, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 })
  },
)

test('a URL without the token is refused with instructions', async () => {
  const { send } = await openTestStudio()
  expect(await send('GET', '/', { accept: 'text/html,*/*;q=0.8' })).toMatchObject({
    status: 401,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: 'joust: missing token: open the URL that joust studio printed\n',
  })
})

test('refuses a foreign Host header, as in DNS rebinding', async () => {
  const { send, known, port } = await openTestStudio()
  expect(await send('GET', '/api/files', { ...known, host: `evil.example:${port}` })).toMatchObject({ status: 421 })
  expect(await send('GET', '/api/files', { ...known, host: `localhost:${port}` })).toMatchObject({ status: 200 })
})

test('refuses a foreign Origin and pages on other local ports', async () => {
  const { send, known, port } = await openTestStudio()
  for (const origin of ['https://evil.example', `http://127.0.0.1:${port + 1}`, 'null'])
    expect(await send('POST', '/api/run', { ...known, origin }, {})).toMatchObject({ status: 403 })
  for (const site of ['cross-site', 'same-site'])
    expect(await send('GET', '/api/files', { ...known, 'sec-fetch-site': site })).toMatchObject({ status: 403 })
  const own = { ...known, origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }
  expect(await send('POST', '/api/run', own, {})).toMatchObject({ status: 201 })
})

test('refuses content types that a form can send', async () => {
  const { send, known } = await openTestStudio()
  const form = { ...known, 'content-type': 'text/plain' }
  expect(await send('POST', '/api/run', form, {})).toMatchObject({ status: 415 })
})

test('a body that is too large is refused and the server continues', async () => {
  const { send, known } = await openTestStudio()
  const large = { text: 'x'.repeat(33 * 1024 * 1024) }
  expect(await send('POST', '/api/run', known, large)).toMatchObject({ status: 413 })
  expect(await send('POST', '/api/run', known, {})).toMatchObject({ status: 201 })
})
