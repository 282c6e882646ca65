/** `joust presets list|show`: the agents that `--exec` and `--acp` can start by name. */

import { jsonText, ok, type Result, type Value, writeYaml } from '@joust/source'
import { type Preset, presets } from '@joust/targets'
import { unknownWord } from '../options/unknown-word.ts'
import { readProject } from '../project/read.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Lists the presets. Presets in the project file come first and take precedence. */
export async function presetsList({ json }: { readonly json: boolean }, io: Io): Promise<number> {
  const available = await knownPresets(io)
  if (!available.ok) return available.error
  if (json) {
    io.stdout.write(jsonText(available.value))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  for (const { name, tried, about, listing } of available.value) {
    const version = tried === undefined ? 'not tested' : `tested with ${tried}`
    const late = listing === 'on_request' ? '; the model must search for tools' : ''
    io.stdout.write(`${colours.bold(name.padEnd(12))} ${version.padEnd(20)} ${about}${late}\n`)
  }
  return exitCodes.ok
}

async function knownPresets(io: Io): Promise<Result<readonly Preset[], number>> {
  const project = await readProject(undefined, true, io)
  if (!project.ok) return project
  const own = project.value?.presets ?? new Map<string, Preset>()
  const about = `from ${project.value?.name}`
  const listed = [...own.values()].map((preset) => ({ ...preset, about: preset.about || about }))
  return ok([...listed, ...presets.filter(({ name }) => !own.has(name))])
}

export async function presetsShow(name: string, io: Io): Promise<number> {
  const available = await knownPresets(io)
  if (!available.ok) return available.error
  const preset = available.value.find((one) => one.name === name)
  if (preset !== undefined) {
    // Presets are plain data.
    io.stdout.writeData(writeYaml(preset as unknown as Value))
    return exitCodes.ok
  }
  const names = available.value.map((one) => one.name)
  return wrongUsage([unknownWord(`unknown preset ${name}`, name, names, `available: ${names.join(', ')}`)], io)
}
