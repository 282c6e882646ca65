/** JSON with comments and trailing commas, as VS Code and opencode allow it. */
import { err, ok, type Result, readJson, type Value, withLimits } from '@joust/source'

/** The maximum size of a configuration. */
const CONFIG_BYTES = 4 * 1024 * 1024

/** Reads a text. Positions in messages are those of the text. */
export function readJsonWithComments(text: string): Result<Value, string> {
  const read = readJson(withoutComments(text), withLimits({ yamlBytes: CONFIG_BYTES }))
  return read.ok ? ok(read.value) : err(read.error[0]?.message ?? 'not JSON')
}

/** Tokens that matter: a string, a comment, a comma before a closing bracket. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g

/** Replaces comments and trailing commas by blanks, so that positions stay. */
function withoutComments(text: string): string {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  return plain.replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replaceAll(/[^\n]/g, ' ')))
}
