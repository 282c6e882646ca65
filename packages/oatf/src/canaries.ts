/** Attack canaries: tokens with a fresh value in each run, so that an agent cannot remember them. */
import { err, ok, type Result } from '@joust/source'
import { canariesIn, withTokens } from './exposure/canaries.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { reload } from './reload.ts'
import { TASK } from './rules/task.ts'

/** The canary values of one run, by the tokens in `x-joust-canaries`. */
export type Canaries = Readonly<Record<string, string>>

/** The characters of generated values. There are no vowels, so that no value is a word. */
const CLASSES = ['0123456789', 'BCDFGHJKLMNPQRSTVWXZ', 'bcdfghjklmnpqrstvwxz'] as const
const TRIES = 20
/** Sections of an attack in which tokens are replaced. */
const REPLACED = ['execution', 'indicators', TASK]

/**
 * Generates values that have the same shape as the tokens and that the document does not contain. `random` is like
 * `Math.random`.
 */
export function freshCanaries(attack: LoadedAttack, random: () => number): Canaries {
  const tokens = canariesIn(attack.walk)
  if (tokens.length === 0) return {}
  let used = attack.text.toLowerCase()
  const pairs = tokens.flatMap((token): [string, string][] => {
    for (let tries = 0; tries < TRIES; tries++) {
      const value = token.replaceAll(/[0-9A-Za-z]/g, (letter) => letterLike(letter, random))
      if (used.includes(value.toLowerCase())) continue
      used += `\n${value.toLowerCase()}`
      return [[token, value]]
    }
    return []
  })
  return Object.fromEntries(pairs)
}

/**
 * Replaces the tokens in an attack with the given values. Fingerprint, findings and positions remain unchanged. Unknown
 * tokens are ignored, because a trace may contain tokens from a different attack. Fails if a value has the wrong shape.
 */
export function withCanaries(attack: LoadedAttack, canaries: Canaries): Result<LoadedAttack, string> {
  const tokens = canariesIn(attack.walk).filter((token) => Object.hasOwn(canaries, token))
  if (tokens.length === 0) return ok(attack)
  const substitution = new Map(tokens.map((token) => [token, canaries[token] ?? '']))
  for (const [token, value] of substitution)
    if (shapeOf(token) !== shapeOf(value))
      return err(`the value ${value} does not have the shape of the canary ${token}`)
  return reload(attack, (value) => withTokens(value, substitution, REPLACED), { like: attack })
}

function letterLike(letter: string, random: () => number): string {
  const letters = CLASSES.find((one) => shapeOf(one.charAt(0)) === shapeOf(letter)) ?? letter
  return letters.charAt(Math.floor(random() * letters.length) % letters.length)
}

function shapeOf(text: string): string {
  return text.replaceAll(/[0-9]/g, '0').replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a')
}
