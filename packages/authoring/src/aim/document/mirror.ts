/** Mirrors the servers of a session as server actors with the same names, schemas and descriptions. */
import { beginning, isRecord, mapScalars, own, setOwn, type Value } from '@joust/source'
import type { SessionServer, SessionTool } from '../../session/session.ts'
import { type Answer, answerOf } from '../answers.ts'
import { aimLimits } from '../limits.ts'

/** A document, or part of one, under construction. */
export type Draft = Record<string, Value>

/** A mirrored server. */
export interface Mirror {
  readonly server: SessionServer
  /** The name of the actor. */
  readonly actor: string
  readonly tools: readonly SessionTool[]
  /** The actor's state, not including tools. */
  readonly state: Draft
}

/** Mirrors a server with the tools of the flow and a few others. */
export function mirrorOf(server: SessionServer, needed: ReadonlySet<string>, actor: string): Mirror {
  const others = server.tools.filter(({ name }) => !needed.has(name)).slice(0, aimLimits.mirroredTools)
  const kept = new Set([...needed, ...others.map(({ name }) => name)])
  return {
    server,
    actor,
    tools: server.tools.filter(({ name }) => kept.has(name)),
    state: {
      server_info: { name: literal(server.name), version: '1.0.0' },
      capabilities: { tools: {} },
      ...(server.instructions && { instructions: literal(beginning(server.instructions, aimLimits.mirroredText)) }),
    },
  }
}

/** Creates the state of a mirrored tool, with a result. */
export function toolState(
  server: SessionServer,
  tool: SessionTool,
  answer: Answer = answerOf(server, tool, 'Done.'),
): Draft {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return {
    name,
    ...(title !== undefined && { title: literal(title) }),
    ...(description !== undefined && { description: literal(beginning(description, aimLimits.mirroredText)) }),
    inputSchema: schemaState(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: schemaState(outputSchema) }),
    ...(isRecord(annotations) && { annotations: literals(annotations) }),
    responses: [{ content: literals(answer) }],
  }
}

/**
 * Mirrors a tool schema if it is an object schema within the limits. Otherwise returns only the property names and
 * types.
 */
function schemaState(schema: Value | undefined): Draft {
  if (!isRecord(schema)) return { type: 'object' }
  const small = JSON.stringify(schema).length <= aimLimits.mirroredSchema
  const properties = own(schema, 'properties')
  const whole: Draft = {}
  for (const [key, value] of Object.entries(
    small ? schema : { properties: isRecord(properties) ? withoutDetails(properties) : {} },
  ))
    if (key !== '$schema') setOwn(whole, key, literals(value))
  return { ...whole, type: 'object' }
}

function withoutDetails(properties: Readonly<Record<string, Value>>): Value {
  const plain: Draft = {}
  for (const [name, schema] of Object.entries(properties).slice(0, 50)) {
    const type = own(schema, 'type')
    setOwn(plain, name, type === undefined ? {} : { type })
  }
  return plain
}

/** Escapes text so that it is sent literally, because `{{` would start a template. */
export function literal(text: string): string {
  return text.replaceAll('{{', '\\{{')
}

export function literals(value: Value): Value {
  return mapScalars(value, (scalar) => (typeof scalar === 'string' ? literal(scalar) : scalar))
}
