/** Applies a preflight result to the target's runs. */

import type { AttackNeeds, AttackOptions, Target } from '@joust/arena'
import type { ResultPreflight } from '@joust/results'
import { defined } from '@joust/source'
import { hasSeveralTurns } from './preflight.ts'

/**
 * Adds the channels that reach the model to the options. If the target forgets earlier messages, attacks with several
 * turns are not applicable. An agent that lists its tools only once is restarted for each run.
 */
export function withPreflight<Options extends AttackOptions>(
  options: Options,
  preflight: ResultPreflight | undefined,
): Options {
  const { known, target: given } = options
  const target = preflight?.lists_tools === 'once' ? (given?.fresh ?? given) : given
  const channels = mergedChannels(preflight?.channels, known?.channels)
  const observed = (preflight?.usage?.calls ?? 0) > 0 ? (true as const) : undefined
  return {
    ...options,
    ...((channels || observed) && { known: { ...known, ...defined({ channels, observed, main: preflight?.main }) } }),
    ...(target && { target: preflight?.remembers === 'no' ? forgetful(target) : target }),
  }
}

type Channels = ResultPreflight['channels']

/** Merges channel states. The user's declaration applies to channels whose state the preflight did not determine. */
function mergedChannels(checked: Channels, declared: Channels): Channels {
  if (checked === undefined || declared === undefined) return checked ?? declared
  const decided = Object.entries(checked).filter(([, state]) => state !== 'unknown')
  return { ...checked, ...declared, ...Object.fromEntries(decided) }
}

function forgetful(target: Target): Target {
  const lacks = (needs: AttackNeeds) => [...(target.lacks?.(needs) ?? []), ...(hasSeveralTurns(needs) ? [FORGETS] : [])]
  return { ...target, lacks }
}

const FORGETS = 'the attack needs several turns, and the agent forgot the first message of the preflight'
