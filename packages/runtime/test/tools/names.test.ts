import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, FINAL_OUTPUT, nameCallables } from '../../src/tools/names.ts'

/** A callable that the document declares, and one that a server offers. */
const declared = (name: string, otherwise = `agent__${name}`) => candidate(name, otherwise, false)
const offered = (server: string, name: string) => candidate(name, `${server}__${name}`, true)

function candidate(name: string, otherwise: string, yields: boolean): Candidate {
  const approval = { kind: 'tool', over: 'args' } as const
  const invoke = async () => ({ content: null, isError: false })
  const callable = { name, names: [], kind: 'mcp' as const, inputSchema: {}, approval, invoke }
  return { callable, otherwise, yields }
}

const names = (...candidates: Candidate[]) => nameCallables(candidates).map(({ name }) => name)

describe('names', () => {
  test('stay as they are when they differ', () => {
    expect(names(declared('look'), offered('files', 'read'))).toEqual(['look', 'read'])
  })

  test('OPEN-44: tools of two servers with one name are both called after their servers', () => {
    expect(names(offered('one', 'read'), offered('two', 'read'))).toEqual(['one__read', 'two__read'])
  })

  test('OPEN-46: of declared names the later gives way', () => {
    expect(names(declared('look', 'tool__look'), declared('look'))).toEqual(['look', 'agent__look'])
  })

  test('a server cannot take the name of anything declared, whoever comes first', () => {
    expect(names(offered('evil', 'helper'), declared('helper'))).toEqual(['evil__helper', 'helper'])
  })

  test('a server cannot take the long name of another server', () => {
    const list = names(offered('evil', 'good__read'), offered('evil', 'read'), offered('good', 'read'))
    expect(list).toEqual(['evil__good__read', 'evil__read', 'good__read'])
  })

  test('nothing is called like the tool that ends an answer', () => {
    expect(names(offered('evil', FINAL_OUTPUT), declared(FINAL_OUTPUT))).toEqual([
      `evil__${FINAL_OUTPUT}`,
      `agent__${FINAL_OUTPUT}`,
    ])
  })

  test('names that providers refuse are made to fit, and the old one is still known to governance', () => {
    const [tool] = nameCallables([offered('files', 'read file/ü')])
    expect(tool).toMatchObject({ name: 'read_file__', names: ['read file/ü'] })
    expect(names(offered('files', '9 lives'), offered('files', ''))).toEqual(['_9_lives', '_'])
    expect(names(offered('files', 'x'.repeat(200)))).toEqual(['x'.repeat(64)])
  })

  test('names that become the same by fitting are told apart', () => {
    expect(names(offered('a', 'x.y'), offered('a', 'x/y'))).toEqual(['a__x_y', 'a__x_y_2'])
  })

  test('names of prototypes are ordinary names', () => {
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    expect(names(...odd.map((name) => offered('a', name)))).toEqual(odd)
  })

  test('are always different and fit, whatever servers and documents say', () => {
    const word = fc.oneof(fc.constantFrom('a', 'b', 'a__b', 'b__a', 'agent__a', FINAL_OUTPUT, '__proto__'), fc.string())
    const any = fc.record({ name: word, owner: word, isDeclared: fc.boolean() })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (list) => {
        const given = list.map(({ name, owner, isDeclared }) => (isDeclared ? declared(name) : offered(owner, name)))
        const made = names(...given)
        expect(made).toHaveLength(list.length)
        expect(new Set(made).size).toBe(list.length)
        for (const name of made) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
        expect(made).not.toContain(FINAL_OUTPUT)
      }),
    )
  })
})
