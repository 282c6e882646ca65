import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, FINAL_OUTPUT, nameCallables } from '../../src/tools/names.ts'

/** A callable that the document declares, and one that a server offers. */
const declared = (name: string, fallback = `agent__${name}`) => candidate(name, fallback, false)
const offered = (server: string, name: string) => candidate(name, `${server}__${name}`, true)

function candidate(name: string, fallback: string, lowPriority: boolean): Candidate {
  const approval = { kind: 'tool', over: 'args' } as const
  const invoke = async () => ({ content: null, isError: false })
  const callable = { name, names: [], kind: 'mcp' as const, inputSchema: {}, approval, invoke }
  return { callable, fallback, lowPriority }
}

const names = (...candidates: Candidate[]) => nameCallables(candidates).map(({ name }) => name)

describe('names', () => {
  test('stay unchanged if they are unique', () => {
    expect(names(declared('look'), offered('files', 'read'))).toEqual(['look', 'read'])
  })

  test('OPEN-44: tools of two servers with the same name get the prefix of their servers', () => {
    expect(names(offered('one', 'read'), offered('two', 'read'))).toEqual(['one__read', 'two__read'])
  })

  test('OPEN-46: the later of two equal declared names gets its fallback', () => {
    expect(names(declared('look', 'tool__look'), declared('look'))).toEqual(['look', 'agent__look'])
  })

  test('a server cannot take a declared name, in any order', () => {
    expect(names(offered('evil', 'helper'), declared('helper'))).toEqual(['evil__helper', 'helper'])
  })

  test('a server cannot take the prefixed name of another server', () => {
    const list = names(offered('evil', 'good__read'), offered('evil', 'read'), offered('good', 'read'))
    expect(list).toEqual(['evil__good__read', 'evil__read', 'good__read'])
  })

  test('the name of the tool for the final answer is reserved', () => {
    expect(names(offered('evil', FINAL_OUTPUT), declared(FINAL_OUTPUT))).toEqual([
      `evil__${FINAL_OUTPUT}`,
      `agent__${FINAL_OUTPUT}`,
    ])
  })

  test('names that providers reject are sanitized, and governance still accepts the original', () => {
    const [tool] = nameCallables([offered('files', 'read file/ü')])
    expect(tool).toMatchObject({ name: 'read_file__', names: ['read file/ü'] })
    expect(names(offered('files', '9 lives'), offered('files', ''))).toEqual(['_9_lives', '_'])
    expect(names(offered('files', 'x'.repeat(200)))).toEqual(['x'.repeat(64)])
  })

  test('equal sanitized names get a suffix', () => {
    expect(names(offered('a', 'x.y'), offered('a', 'x/y'))).toEqual(['a__x_y', 'a__x_y_2'])
  })

  test('names of prototype properties are ordinary names', () => {
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    expect(names(...odd.map((name) => offered('a', name)))).toEqual(odd)
  })

  test('are always unique and valid', () => {
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
