/** Applies a rule collection to the texts of attack servers, for `joust lint --rules`. */
import { type RuleMatch, readTextRules } from '@joust/authoring'
import type { LoadedAttack } from '@joust/oatf'
import {
  cut,
  type Diagnostic,
  err,
  formatPath,
  isList,
  isRecord,
  ok,
  type Path,
  type Result,
  type Value,
} from '@joust/source'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'

/** Maximum length of a quoted match. */
const QUOTED = 80

export type RuleFindings = (attack: LoadedAttack) => readonly Diagnostic[]

/** Reads a rule file; the error is a message. */
export async function readRules(path: string, file: string, io: Io): Promise<Result<RuleFindings, string>> {
  const json = await readText(file, io)
  if (!json.ok) return err(`${path}: ${json.error.message}`)
  const find = readTextRules(json.value)
  if (!find.ok) return err(`${path}: ${find.error}; expected rules.json from joust import agent-threat-rules`)
  return ok((attack) => findingsIn(attack, find.value))
}

function findingsIn(attack: LoadedAttack, find: (text: string) => readonly RuleMatch[]): Diagnostic[] {
  const servers = attack.plants.planted.filter(({ role }) => role === 'server')
  return servers.flatMap(({ value, at }) =>
    [...textsIn(value, at)].flatMap(({ text, at: place }) =>
      find(text).map(({ rule, match }): Diagnostic => {
        const quoted = JSON.stringify(cut(match, QUOTED))
        const message = `matches ${rule.id} (${rule.title}, ${rule.severity}): ${quoted}`
        return { severity: 'warning', code: 'text-rule', message, path: formatPath(place), ...attack.locate(place) }
      }),
    ),
  )
}

function* textsIn(value: Value, at: Path): Generator<{ readonly text: string; readonly at: Path }, void, void> {
  if (typeof value === 'string') yield { text: value, at }
  else if (isList(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...at, index])
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...at, key])
}
