/** `joust presets list|show`: the agents that `--exec` and `--acp` know by name. */
import { type Preset, presets } from '@joust/arena'
import { jsonText, ok, type Result, type Value, writeYaml } from '@joust/source'
import { unknownWord } from '../options/unknown-word.ts'
import { readProject } from '../project/read.ts'
import { coloursFor } from '../render/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Lists the presets: those of the project file come first, as they do when one is picked. */
export async function presetsList({ json }: { readonly json: boolean }, io: Io): Promise<number> {
  const known = await knownPresets(io)
  if (!known.ok) return known.error
  if (json) {
    io.stdout.write(jsonText(known.value))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  for (const { name, tried, about, listing } of known.value) {
    const version = tried === undefined ? 'not tried' : `tried with ${tried}`
    const late = listing === 'on_request' ? '; the model has to search for tools' : ''
    io.stdout.write(`${colours.bold(name.padEnd(12))} ${version.padEnd(20)} ${about}${late}\n`)
  }
  return exitCodes.ok
}

async function knownPresets(io: Io): Promise<Result<readonly Preset[], number>> {
  const project = await readProject(undefined, true, io)
  if (!project.ok) return project
  const own = project.value?.presets ?? new Map<string, Preset>()
  const about = `of ${project.value?.name}`
  const listed = [...own.values()].map((preset) => ({ ...preset, about: preset.about || about }))
  return ok([...listed, ...presets.filter(({ name }) => !own.has(name))])
}

/** Prints one preset. */
export async function presetsShow(name: string, io: Io): Promise<number> {
  const known = await knownPresets(io)
  if (!known.ok) return known.error
  const preset = known.value.find((one) => one.name === name)
  if (preset !== undefined) {
    // Plain data by its type.
    io.stdout.writeData(writeYaml(preset as unknown as Value))
    return exitCodes.ok
  }
  const names = known.value.map((one) => one.name)
  return wrongUsage([unknownWord(`there is no preset ${name}`, name, names, `there are ${names.join(', ')}`)], io)
}
