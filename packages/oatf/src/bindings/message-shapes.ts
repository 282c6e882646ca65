import { a2aShapes } from './a2a-shapes.ts'
import { agUiShapes } from './ag-ui-shapes.ts'
import { mcpShapes } from './mcp-shapes.ts'
import { fields, type MessageShapes, number, open, type Shape, text } from './shape.ts'

const shapes: { readonly [protocol: string]: readonly MessageShapes[] } = {
  mcp: mcpShapes,
  a2a: a2aShapes,
  ag_ui: agUiShapes,
}

/** What the messages of a protocol can hold; empty for one of another binding. */
export function messageShapes(protocol: string): readonly MessageShapes[] {
  return Object.hasOwn(shapes, protocol) ? (shapes[protocol] ?? []) : []
}

/** The answer to a JSON-RPC request that failed. */
export const errorShape: Shape = fields({ code: number, message: text }, { data: open })
