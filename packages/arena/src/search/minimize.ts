/** The shortest bait that still works. */
import { baitOf, type LoadedAttack, rebait } from '@joust/oatf'

/** How a bait is made shorter. */
interface MinimizeOptions {
  /** Whether an attack still does what it is to do. */
  readonly works: (attack: LoadedAttack) => Promise<boolean>
  /** How many shorter baits are tried at most. */
  readonly most: number
  /** Whether it has to end now. */
  readonly halted: () => boolean
}

/** What became of it. */
interface Minimized {
  readonly attack: LoadedAttack
  readonly tried: number
}

const MADE_SHORTER = 'minimized'

/**
 * Leaves out words as long as the attack works: halves first, then smaller stretches (delta debugging). What is left is
 * shortest in that no single stretch of the last size can go, unless the bound came first.
 */
export async function minimize(attack: LoadedAttack, options: MinimizeOptions): Promise<Minimized> {
  let best = attack
  let texts = Object.fromEntries(baitOf(attack).texts.map(({ path, text }) => [path, text]))
  let tried = 0
  for (const [path, text] of Object.entries(texts)) {
    await shorten(text, async (shorter) => {
      if (tried >= options.most || options.halted()) return false
      const fewer = { ...texts, [path]: shorter }
      const made = rebait(attack, fewer, MADE_SHORTER)
      if (!made.ok) return false
      tried += 1
      if (!(await options.works(made.value))) return false
      best = made.value
      texts = fewer
      return true
    })
  }
  return { attack: best, tried }
}

async function shorten(text: string, works: (shorter: string) => Promise<boolean>): Promise<void> {
  let units = unitsOf(text)
  for (let size = Math.ceil(units.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < units.length; ) {
      const fewer = [...units.slice(0, at), ...units.slice(at + size)]
      if (fewer.length > 0 && (await works(fewer.join('').trim()))) units = fewer
      else at += size
    }
  }
}

/** Words with the space behind them; a template is one, whatever it holds. */
function unitsOf(text: string): string[] {
  return text.match(/(?:\{\{[^{}]*\}\}|\S)+\s*/g) ?? []
}
