import { describe, expect, it } from 'vitest'
import { checkAccess } from '../src/access.ts'

describe('access', () => {
  it.each([
    ['127.0.0.1', 'localhost:5', true],
    ['127.0.0.1', '[::1]:5', true],
    ['::1', '[::1]:5', true],
    ['127.0.0.1', '192.168.0.1', false],
    ['127.0.0.1', 'localhost.', false],
    ['0.0.0.0', '192.168.0.1:80', true],
    ['0.0.0.0', '[fe80::1]', true],
    ['0.0.0.0', 'rebound.example', false],
    ['agent.local', 'agent.local:80', true],
    ['agent.local', 'other.local:80', false],
  ])('bound to %s, the host %s: %s', (bound, host, passes) => {
    expect(checkAccess({ host }, bound).ok).toBe(passes)
  })

  it('compares an origin with its port', () => {
    const from = (origin: string) => checkAccess({ host: '127.0.0.1:80', origin }, '127.0.0.1')
    expect(from('http://127.0.0.1:8080')).toMatchObject({ ok: false, error: { header: 'origin' } })
    expect(from('http://127.0.0.1').ok).toBe(true)
  })
})
