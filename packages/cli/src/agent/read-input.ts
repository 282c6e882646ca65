/** `--input`: JSON as it stands, from a file (`@file`), or from standard input (`-`). */
import { resolve } from 'node:path'
import { cut, err, ok, type Result, readJson, toDoubles, type Value } from '@joust/source'
import { readText, STDIN } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** The input of a run, or the exit code after saying what is wrong with it. */
export async function readInput(given: string, io: Io): Promise<Result<Value, number>> {
  const fromFile = given.startsWith('@')
  const path = given === STDIN ? STDIN : resolve(io.cwd, given.slice(1))
  const text = fromFile || given === STDIN ? await readText(path, io) : ok(given)
  const name = fromFile ? given.slice(1) : '--input'
  if (!text.ok) return err(wrongUsage([`${name}: ${text.error.message}`], io))
  const value = readJson(text.value)
  // As everything that an agent is given: a host would not take other numbers either.
  if (value.ok) return ok(toDoubles(value.value))
  const faults = value.error.map(({ message, line, column }) => {
    const place = line === undefined ? '' : `:${line}:${column ?? 1}`
    return `${name}${place}: ${message}`
  })
  return err(wrongUsage([...faults, ...(fromFile || given === STDIN ? [] : [hint(given)])], io))
}

function hint(given: string): string {
  if (/^\s*[[{]/.test(given)) return `the shell may have taken the quotes: write --input '{"name": "value"}'`
  return `a text is written with its quotes: --input '${JSON.stringify(cut(given, 40))}'; a file as @file`
}
