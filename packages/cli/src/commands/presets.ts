/** `joust presets list|show`: the agents that `--exec` knows by name. */
import { findPreset, presets } from '@joust/arena'
import { jsonText, suggest, type Value, writeYaml } from '@joust/source'
import { coloursFor } from '../render/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Lists the presets. */
export async function presetsList({ json }: { readonly json: boolean }, io: Io): Promise<number> {
  if (json) {
    io.stdout.write(jsonText(presets))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  for (const { name, tried, about, listing } of presets) {
    const known = tried === undefined ? 'not tried' : `tried with ${tried}`
    const late = listing === 'on_request' ? '; the model has to search for tools' : ''
    io.stdout.write(`${colours.bold(name.padEnd(12))} ${known.padEnd(20)} ${about}${late}\n`)
  }
  return exitCodes.ok
}

/** Prints one preset. */
export async function presetsShow(name: string, io: Io): Promise<number> {
  const preset = findPreset(name)
  if (preset !== undefined) {
    // Plain data by its type.
    io.stdout.write(writeYaml(preset as unknown as Value))
    return exitCodes.ok
  }
  const names = presets.map((one) => one.name)
  const near = suggest(name, names)
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`
  return wrongUsage([`there is no preset ${name}; ${hint}`], io)
}
