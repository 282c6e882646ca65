/** Reads label corrections from joust.yaml and the command line, and saves them in joust.yaml. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Corrections, Label } from '@joust/authoring'
import { toolLabels } from '@joust/authoring/names'
import { replaceFile, writeNew } from '@joust/io'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { err, isRecord, messageOf, ok, own, patchText, type Result, type Value, writeYaml } from '@joust/source'
import { unknownWord } from '../options/unknown-word.ts'
import type { Project } from '../project/read.ts'
import type { Io } from '../terminal/io.ts'

export function correctionsIn(project: Project | undefined): Corrections {
  const tools = own(own(project?.source.value ?? null, 'aim') ?? null, 'tools')
  if (!isRecord(tools)) return {}
  return Object.fromEntries(Object.entries(tools).map(([name, labels]) => [name, labelsOf(labels)]))
}

function labelsOf(value: Value): Label[] {
  const words = Array.isArray(value) ? value : [value]
  return toolLabels.filter((label) => words.includes(label))
}

/** Parses the values of `--label`. */
export function readLabels(given: Readonly<Record<string, string>>): Result<Corrections, string[]> {
  const faults: string[] = []
  const corrections: Record<string, readonly Label[]> = {}
  for (const [name, text] of Object.entries(given)) {
    const words = text.split(',').map((word) => word.trim())
    const wrong = words.find((word) => word !== 'none' && !toolLabels.some((label) => label === word))
    if (wrong !== undefined)
      faults.push(
        unknownWord(`--label ${name}: expected ${toolLabels.join(', ')} or none, not "${wrong}"`, wrong, toolLabels),
      )
    corrections[name] = toolLabels.filter((label) => words.includes(label))
  }
  return faults.length > 0 ? err(faults) : ok(corrections)
}

/** Writes the corrections to the project file, creating the file if necessary; returns the file name. */
export function keepCorrections(
  corrections: Corrections,
  project: Project | undefined,
  io: Io,
): Result<string, string> {
  const written = Object.fromEntries(
    Object.entries(corrections).map(([name, labels]) => [name, labels.length === 0 ? 'none' : [...labels]]),
  )
  try {
    if (project === undefined) {
      writeNew(join(io.cwd, PROJECT_FILE), writeYaml({ aim: { tools: written } }))
      return ok(PROJECT_FILE)
    }
    const text = readFileSync(project.path, 'utf8')
    const root = isRecord(project.source.value) ? project.source.value : {}
    const before = own(root, 'aim')
    const tools = own(before ?? null, 'tools')
    const aim = { ...(isRecord(before) && before), tools: { ...(isRecord(tools) && tools), ...written } }
    const patched = patchText(text, { ...root, aim })
    if (!patched.ok) return err(`${project.name}: ${patched.error[0]?.message ?? 'cannot be edited'}`)
    const place = realpathSync(project.path)
    const about = statSync(place)
    replaceFile(place, patched.value.text, about.mode, about)
    return ok(project.name)
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}
