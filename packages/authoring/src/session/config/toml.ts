/** Rewrites MCP servers in Codex's TOML configuration line by line, to preserve everything else. */
import { defined } from '@joust/source'
import type { ServerEntry } from './server-entry.ts'

const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/
const LIST = new RegExp(`\\[\\s*(?:(?:${STRING.source}|#[^\\n]*)\\s*,?\\s*)*\\]`)
const TABLE = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*\][ \t]*(?:#.*)?$/

interface ServerTable {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Rewrites the entries in a text. `change` returns the new entry, or undefined to leave it unchanged. */
export function rewriteToml(text: string, change: (entry: ServerEntry) => ServerEntry | undefined): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, ...table } of tablesIn(text)) {
    const block = text.slice(start, end)
    const changed = change(entryIn(table.name, block, text))
    parts.push(text.slice(at, start), changed === undefined ? block : blockWith(block, changed))
    at = end
  }
  return `${parts.join('')}${text.slice(at)}`
}

/** Returns the tables `[mcp_servers.NAME]`, each up to the next table of any name. */
function tablesIn(text: string): ServerTable[] {
  const tables: ServerTable[] = []
  let open: Omit<ServerTable, 'end'> | undefined
  let at = 0
  for (const line of text.split(/(?<=\n)/)) {
    if (/^[ \t]*\[/.test(line) && !isInsideList(text, at, open?.start)) {
      if (open !== undefined) tables.push({ ...open, end: at })
      const name = TABLE.exec(line.trimEnd())?.[1]
      open = name === undefined ? undefined : { name: stringIn(name), start: at }
    }
    at += line.length
  }
  return open === undefined ? tables : [...tables, { ...open, end: at }]
}

/** True inside a multi-line list, whose items may begin with a bracket. */
function isInsideList(text: string, at: number, start: number | undefined): boolean {
  if (start === undefined) return false
  const plain = text.slice(start, at).replaceAll(new RegExp(`${STRING.source}|#[^\\n]*`, 'g'), '')
  return plain.split('[').length > plain.split(']').length
}

function entryIn(name: string, block: string, text: string): ServerEntry {
  const command = field(block, 'command', STRING)
  const args = field(block, 'args', LIST)
  const url = field(block, 'url', STRING)
  return {
    name,
    ...(command !== undefined && {
      command: [stringIn(command), ...stringsIn(args)],
    }),
    ...(url !== undefined && { url: stringIn(url) }),
    ...defined({ cwd: literalOf(field(block, 'cwd', STRING)) }),
    env: { ...forwarded(block), ...inlineTable(block, 'env', text, name) },
    headers: headersIn(name, block, text),
    ...(field(block, 'enabled', /false\b/) !== undefined && { isOff: true }),
  }
}

/** Returns placeholders for variables that are passed on from the agent's environment. */
function forwarded(block: string): Readonly<Record<string, string>> {
  const names = stringsIn(field(block, 'env_vars', LIST))
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]))
}

function headersIn(name: string, block: string, text: string): Readonly<Record<string, string>> {
  const token = literalOf(field(block, 'bearer_token_env_var', STRING))
  const variables = Object.entries(inlineTable(block, 'env_http_headers', text, name))
  return {
    ...(token !== undefined && { Authorization: `Bearer \${${token}}` }),
    ...Object.fromEntries(variables.map(([header, variable]) => [header, `\${${variable}}`])),
    ...inlineTable(block, 'http_headers', text, name),
  }
}

function field(block: string, name: string, value: RegExp): string | undefined {
  return new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(${value.source})`, 'm').exec(block)?.[1]
}

/** Returns the strings in `name = { … }`, or in the table `[mcp_servers.SERVER.name]`. */
function inlineTable(block: string, name: string, text: string, server: string): Readonly<Record<string, string>> {
  const inline = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*\\{([^\\n]*)\\}`, 'm').exec(block)?.[1]
  const heads = [server, `"${server}"`].map((one) => `[mcp_servers.${one}.${name}]`)
  const from = heads.map((head) => text.indexOf(head)).find((at) => at !== -1)
  const table = from === undefined ? '' : (text.slice(from).split(/\n(?=[ \t]*\[)/)[0] ?? '')
  const pairs = `${inline ?? ''}\n${table}`.matchAll(
    new RegExp(`(?:"([^"\\n]*)"|([\\w-]+))[ \\t]*=[ \\t]*(${STRING.source})`, 'g'),
  )
  return Object.fromEntries([...pairs].map(([, quoted, bare, value = '']) => [quoted ?? bare ?? '', stringIn(value)]))
}

function stringsIn(list: string | undefined): string[] {
  return (list?.match(new RegExp(STRING, 'g')) ?? []).map(stringIn)
}

function literalOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : stringIn(text)
}

function stringIn(literal: string): string {
  if (literal.startsWith("'")) return literal.slice(1, -1)
  if (!literal.startsWith('"')) return literal
  try {
    const value: unknown = JSON.parse(
      literal.replaceAll(/\\U([\dA-Fa-f]{8})/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16))),
    )
    return typeof value === 'string' ? value : literal.slice(1, -1)
  } catch {
    return literal.slice(1, -1)
  }
}

function blockWith(block: string, { command, url }: ServerEntry): string {
  if (url !== undefined) return replaceField(block, 'url', STRING, JSON.stringify(url))
  const [program = '', ...args] = command ?? []
  const withProgram = replaceField(block, 'command', STRING, JSON.stringify(program))
  const list = `[${args.map((word) => JSON.stringify(word)).join(', ')}]`
  return field(block, 'args', LIST) === undefined
    ? withProgram.replace(/^([ \t]*command[ \t]*=.*)$/m, (line) => `${line}\nargs = ${list}`)
    : replaceField(withProgram, 'args', LIST, list)
}

function replaceField(block: string, name: string, value: RegExp, text: string): string {
  return block.replace(
    new RegExp(`^([ \\t]*${name}[ \\t]*=[ \\t]*)(?:${value.source})`, 'm'),
    (_, head: string) => `${head}${text}`,
  )
}
