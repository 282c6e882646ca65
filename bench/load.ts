/** Measures loading documents: parsing, validation and normalization. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '@joust/oatf'
import { measure } from './measure.ts'

export interface LoadFigures {
  readonly documents: number
  readonly bytes: number
  /** Documents without errors. */
  readonly valid: number
  readonly seconds: number
}

/** Loads every YAML file in a folder repeatedly. */
export function benchLoad(folder: string, seconds: number): LoadFigures {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name))
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  let valid = 0
  const each = measure(() => {
    valid = texts.filter((text) => load(text).ok).length
  }, seconds)
  return {
    documents: texts.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    valid,
    seconds: each,
  }
}
