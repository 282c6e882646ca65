import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hideSplitSecrets } from '../../src/redaction/split-secrets.ts'

interface Piece {
  readonly of: string
  readonly delta: string
}

/** What comes out for these pieces. */
function heard(pieces: readonly Piece[], secrets: readonly string[]): Piece[] {
  const out: Piece[] = []
  const hider = hideSplitSecrets<Piece>(
    {
      secrets,
      streamOf: ({ of }) => of,
      valueOf: ({ delta }) => ({ delta }),
      hidden: (piece, value) => ({ ...piece, ...(value as { delta: string }) }),
    },
    (piece) => out.push(piece),
  )
  for (const piece of pieces) hider.push(piece)
  hider.flush()
  return out
}

const told = (texts: readonly string[], secrets = ['sk-secret-key']) =>
  heard(
    texts.map((delta) => ({ of: 'a', delta })),
    secrets,
  ).map(({ delta }) => delta)

test('a secret in pieces of any size is redacted, and the text around it unchanged', () => {
  expect(told(['the key is sk-sec', 'ret-key, keep it'])).toEqual(['the key is [redacted: secret]', ', keep it'])
  expect(told([...'a sk-secret-key b']).join('')).toBe('a [redacted: secret] b')
  expect(told(['sk-', 'secret', '-key', 'sk-', 'secret-key']).join('')).toBe('[redacted: secret][redacted: secret]')
})

test('an incomplete secret is kept, unless it is long and at the end', () => {
  expect(told(['risk-', 'free'])).toEqual(['risk-', 'free'])
  expect(told(['it is sk-secret-ke'])).toEqual(['it is [redacted: secret]'])
  expect(told(['it is s'])).toEqual(['it is s'])
})

test('concurrent streams are independent', () => {
  const pieces = [
    { of: 'a', delta: 'sk-sec' },
    { of: 'b', delta: 'nothing' },
    { of: 'a', delta: 'ret-key' },
  ]
  expect(heard(pieces, ['sk-secret-key']).map(({ delta }) => delta)).toEqual(['[redacted: secret]', 'nothing', ''])
})

test('no secret can be reassembled from any pieces, and no item is lost or reordered', () => {
  const words = fc.array(fc.constantFrom('s', 'k', '-', 'secret', 'sk-secret-key', 'key', ' ', 'sk-sk-secret'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(words, fc.array(fc.nat(4), { minLength: 1 }), (text, cuts) => {
      const pieces: string[] = []
      let rest = text.join('')
      for (let at = 0; rest !== ''; at++) {
        const length = 1 + (cuts[at % cuts.length] ?? 0)
        pieces.push(rest.slice(0, length))
        rest = rest.slice(length)
      }
      const out = told(pieces)
      expect(out).toHaveLength(pieces.length)
      // A piece that contains the whole secret is left to the redaction of texts.
      const joined = out.join('')
      for (const [index, piece] of out.entries())
        if (!piece.includes('sk-secret-key')) continue
        else expect(pieces[index]).toContain('sk-secret-key')
      if (!pieces.some((piece) => piece.includes('sk-secret-key'))) expect(joined).not.toContain('sk-secret-key')
    }),
  )
})
