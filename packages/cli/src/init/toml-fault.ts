/** Whether a text is TOML at all: tables, keys with values, closed texts and brackets. What values mean is not checked. */

const closers: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** The first fault, with its line; undefined for what may be TOML. */
export function tomlFault(text: string): string | undefined {
  const open: string[] = []
  let line = 1
  let statement = ''
  const at = (what: string) => `line ${line}: ${what}`
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '"' || token === "'" || token.length === 3) return at('a string is not closed')
    if (token === '\n' && open.length === 0) {
      if (!isStatement(statement)) return at('neither a table nor a key with its value')
      statement = ''
    } else if (token in closers) open.push(closers[token] ?? '')
    else if ((token === ']' || token === '}') && open.pop() !== token) return at(`${token} closes nothing`)
    if (token !== '\n' && !token.startsWith('#')) statement += token
    line += token.split('\n').length - 1
  }
  if (open.length > 0) return at(`${open.at(-1)} is missing`)
  return isStatement(statement) ? undefined : at('neither a table nor a key with its value')
}

// Whole texts before the quotes of unclosed ones; then comments, line ends and single characters.
const TOKENS =
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[\s\S]/g

function isStatement(text: string): boolean {
  return /^\s*(?:\[.+\]|[^=\s][^=]*=\s*\S[\s\S]*)?\s*$/.test(text)
}
