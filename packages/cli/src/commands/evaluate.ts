/** `joust evaluate ATTACK --message FILE`: every indicator of a document against one message. */
import { resolve } from 'node:path'
import {
  type Attack,
  type AttackVerdict,
  computeVerdict,
  createCelEvaluator,
  evaluateIndicator,
  load,
} from '@joust/oatf'
import { err, ok, printable, type Result, readJson, readSource, type Value } from '@joust/source'
import { messageContent } from '../input/message-content.ts'
import { readText, STDIN } from '../input/read.ts'
import { coloursFor } from '../render/colours.ts'
import { jsonText } from '../render/json.ts'
import { renderText } from '../render/text.ts'
import { renderVerdict } from '../render/verdict.ts'
import { exitCodes, verdictCode } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

export interface EvaluateOptions {
  readonly message: string
  readonly json?: boolean
}

/** Prints the verdict on one message; the exit code says how far the attack got. */
export async function evaluate(word: string, options: EvaluateOptions, io: Io): Promise<number> {
  if (word === STDIN && options.message === STDIN)
    return wrongUsage(['only one of the attack and the message can come from standard input'], io)
  const attack = await readAttack(word, io)
  if (!attack.ok) return attack.error
  const message = await readMessage(options.message, io)
  if (!message.ok) return message.error

  const verdict = judge(attack.value, message.value)
  if (options.json) io.stdout.write(jsonText(verdict))
  else io.stdout.write(renderVerdict(attack.value, verdict, coloursFor(io, 'stdout')))
  return verdictCode(verdict)
}

/** The verdict of a document on one message. */
function judge(attack: Attack, message: Value): AttackVerdict {
  const evaluators = { cel: createCelEvaluator() }
  const verdicts = (attack.indicators ?? []).map((indicator) => evaluateIndicator(indicator, message, evaluators))
  return computeVerdict(attack, new Map(verdicts.map((verdict) => [verdict.indicator_id, verdict])))
}

async function readAttack(word: string, io: Io): Promise<Result<Attack, number>> {
  const text = await readWord(word, io)
  if (!text.ok) return text
  const loaded = load(text.value)
  const name = nameOf(word)
  if (!loaded.ok) {
    const report = { name, path: word, format: 'oatf', text: text.value, diagnostics: loaded.error } as const
    io.stderr.write(renderText([report], coloursFor(io, 'stderr')))
    return nothingCanBeSaid(`${name} is no valid document, so nothing can be said about the agent`, io)
  }
  const { attack } = loaded.value.document
  if ((attack.indicators ?? []).length === 0)
    return nothingCanBeSaid(`${name} has no indicators, so nothing can be said about the agent`, io)
  return ok(attack)
}

/** JSON where it is JSON, else YAML; a file that calls itself JSON must be. */
async function readMessage(word: string, io: Io): Promise<Result<Value, number>> {
  const text = await readWord(word, io)
  if (!text.ok) return text
  const json = readJson(text.value)
  if (json.ok) return contentOf(json.value, word, io)
  const yaml = word.endsWith('.json') ? json : readSource(text.value)
  if (!yaml.ok) {
    const report = {
      name: nameOf(word),
      path: word,
      format: 'unknown',
      text: text.value,
      diagnostics: yaml.error,
    } as const
    io.stderr.write(renderText([report], coloursFor(io, 'stderr')))
    return nothingCanBeSaid(`${nameOf(word)} is no message, so nothing can be said about the agent`, io)
  }
  return contentOf(yaml.value.value, word, io)
}

function contentOf(message: Value, word: string, io: Io): Result<Value, number> {
  const found = messageContent(message)
  if (!found.ok) return nothingCanBeSaid(`${nameOf(word)} ${found.error}`, io)
  if (found.value.note !== undefined) io.stderr.write(`joust: ${printable(nameOf(word))} ${found.value.note}\n`)
  return ok(found.value.content)
}

async function readWord(word: string, io: Io): Promise<Result<string, number>> {
  const text = await readText(word === STDIN ? STDIN : resolve(io.cwd, word), io)
  if (text.ok) return text
  const fault = `${nameOf(word)}: ${text.error.message}`
  return text.error.code === 'missing' ? err(wrongUsage([fault], io)) : nothingCanBeSaid(fault, io)
}

/** Exit code 1 would say "exploited" here, so whatever keeps us from a verdict is an error verdict. */
function nothingCanBeSaid(reason: string, io: Io): Result<never, number> {
  io.stderr.write(`joust: ${printable(reason)}\n`)
  return err(exitCodes.errorVerdict)
}

function nameOf(word: string): string {
  return word === STDIN ? '<stdin>' : word
}
