import { writeJson } from './write-json.ts'

/** Indented JSON in which characters that steer a terminal are escaped. */
export function jsonText(value: unknown): string {
  return `${writeJson(value, 2).replaceAll(STEERING, escaped)}\n`
}

/** What `JSON.stringify` leaves: DEL, C1, zero-width and bidirectional characters. */
const STEERING = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
