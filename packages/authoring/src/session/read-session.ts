import {
  checkShape,
  type Diagnostic,
  err,
  formatPath,
  ok,
  type Result,
  readSource,
  shapeDiagnostic,
  shapes,
  sortByPosition,
  withLimits,
} from '@joust/source'
import type { Session } from './session.ts'

const { enumeration, list, object, optional, required, text, value } = shapes

/** Maximum size of a file in bytes. A session contains all schemas and recorded answers. */
const MOST_BYTES = 64 * 1024 * 1024

const callShape = object({
  method: required(text, 'the request method'),
  name: required(text, 'the tool or prompt name, or the resource URI'),
  arguments: optional(value, 'the arguments of the call'),
  result: optional(value, 'the result as returned by the server'),
  error: optional(value, 'the error as returned by the server'),
})

const toolShape = object(
  {
    name: required(text, 'the tool name'),
    title: optional(text, 'the tool title'),
    description: optional(text, 'the description of the tool'),
    inputSchema: optional(value, 'the JSON Schema of its arguments'),
    outputSchema: optional(value, 'the JSON Schema of its structured result'),
    annotations: optional(value, 'the tool annotations'),
  },
  'any',
)

const serverShape = object({
  name: required(text, 'the name of the server in the configuration'),
  protocol: required(enumeration(['mcp', 'a2a', 'ag_ui']), 'the protocol of the server'),
  version: optional(text, 'the negotiated protocol version'),
  instructions: optional(text, 'the server instructions'),
  tools: required(list(toolShape), 'the tools listed by the server'),
  resources: optional(list(value), 'the resources'),
  resource_templates: optional(list(value), 'the resource templates'),
  prompts: optional(list(value), 'the prompts'),
  card: optional(value, 'the agent card of an A2A agent'),
  calls: optional(list(callShape), 'recorded calls'),
})

const sessionShape = object({
  joust_session: required(value, 'the format version: 1'),
  recorded_at: optional(text, 'the time of the recording'),
  task: optional(text, "the user's task"),
  servers: required(list(serverShape), 'the servers'),
})

/** Parses and checks `session.yaml`. All findings have positions. */
export function readSession(yaml: string): Result<Session, Diagnostic[]> {
  const source = readSource(yaml, withLimits({ yamlBytes: MOST_BYTES }))
  if (!source.ok) return source
  const { value: root } = source.value
  const faults = checkShape(root, sessionShape, 100).map((fault) => shapeDiagnostic(source.value, fault, 'session'))
  if (faults.length > 0) return err(sortByPosition(faults))
  // The shape was checked above.
  const session = root as unknown as Session
  const fault = (path: readonly (string | number)[], message: string): Diagnostic => ({
    severity: 'error',
    code: 'session',
    message,
    path: formatPath(path),
    ...source.value.locate(path),
  })
  if (Number(session.joust_session) !== 1)
    return err([
      fault(
        ['joust_session'],
        `unknown version ${String(session.joust_session)}; this version of joust supports only 1`,
      ),
    ])
  const findings: Diagnostic[] = []
  const names = new Set<string>()
  for (const [at, { name, tools }] of session.servers.entries()) {
    if (names.has(name)) findings.push(fault(['servers', at, 'name'], `duplicate server ${JSON.stringify(name)}`))
    names.add(name)
    const own = new Set<string>()
    for (const [index, tool] of tools.entries()) {
      if (own.has(tool.name))
        findings.push(fault(['servers', at, 'tools', index, 'name'], `duplicate tool ${JSON.stringify(tool.name)}`))
      own.add(tool.name)
    }
  }
  return findings.length > 0 ? err(findings) : ok({ ...session, joust_session: 1 })
}
