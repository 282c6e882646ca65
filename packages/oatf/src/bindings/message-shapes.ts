import { own, ownText } from '@joust/source'
import { a2aFieldTexts, a2aShapes } from './a2a-shapes.ts'
import { agUiFieldTexts, agUiShapes } from './ag-ui-shapes.ts'
import { appShapes, MCP_APP } from './apps.ts'
import type { Texts } from './binding.ts'
import { mcpFieldTexts, mcpShapes } from './mcp-shapes.ts'
import { fields, type MessageShapes, number, open, type Shape, text } from './shape.ts'
import { WORKSPACE, workspaceShapes } from './workspace.ts'

const shapes: { readonly [protocol: string]: readonly MessageShapes[] } = {
  mcp: mcpShapes,
  a2a: a2aShapes,
  ag_ui: agUiShapes,
  [WORKSPACE]: workspaceShapes,
  [MCP_APP]: appShapes,
}

/** Returns the message shapes of a protocol; empty for protocols without an included binding. */
export function messageShapes(protocol: string): readonly MessageShapes[] {
  return Object.hasOwn(shapes, protocol) ? (shapes[protocol] ?? []) : []
}

const fieldTexts: { readonly [protocol: string]: Texts } = {
  mcp: mcpFieldTexts,
  a2a: a2aFieldTexts,
  ag_ui: agUiFieldTexts,
}

/** Returns the description of a message field; undefined for self-explanatory names. */
export function messageText(protocol: string, field: string): string | undefined {
  return ownText(own(fieldTexts, protocol), field)
}

export const errorShape: Shape = fields({ code: number, message: text }, { data: open })
