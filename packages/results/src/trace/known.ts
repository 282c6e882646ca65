/** Parses the facts from outside a run, which are in the last line of the run's trace. */
import { defined, isList, own, type Value } from '@joust/source'
import { channelStates, channels, type KnownFacts, type MainCalls, proofs } from '../model/controls.ts'

/** Parses facts and drops unknown words. Returns undefined if no facts remain. */
export function knownIn(value: Value | undefined): KnownFacts | undefined {
  const states = channels.flatMap((channel) => {
    const state = channelStates.find((word) => word === own(own(value, 'channels'), channel))
    return state === undefined ? [] : [[channel, state] as const]
  })
  const facts = defined({
    proven: proofs.find((word) => word === own(value, 'proven')),
    unspecific: own(value, 'unspecific') === true ? (true as const) : undefined,
    allow_unproven: own(value, 'allow_unproven') === true ? (true as const) : undefined,
    observed: own(value, 'observed') === true ? (true as const) : undefined,
    main: mainIn(own(value, 'main')),
    channels: states.length === 0 ? undefined : Object.fromEntries(states),
  })
  return Object.keys(facts).length === 0 ? undefined : facts
}

function mainIn(value: Value | undefined): MainCalls | undefined {
  const prompts = own(value, 'prompts')
  if (!isList(prompts)) return undefined
  const texts = prompts.filter((one) => typeof one === 'string')
  return { prompts: texts, ...(own(value, 'tools') === true && { tools: true }) }
}
