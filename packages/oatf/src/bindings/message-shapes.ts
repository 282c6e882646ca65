import { own, ownText } from '@joust/source'
import { a2aShapes, a2aTexts } from './a2a-shapes.ts'
import { agUiShapes, agUiTexts } from './ag-ui-shapes.ts'
import type { Texts } from './binding.ts'
import { mcpShapes, mcpTexts } from './mcp-shapes.ts'
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

const texts: { readonly [protocol: string]: Texts } = { mcp: mcpTexts, a2a: a2aTexts, ag_ui: agUiTexts }

/** The sentence about a field of a message; undefined where its name says enough. */
export function messageText(protocol: string, field: string): string | undefined {
  return ownText(own(texts, protocol), field)
}

/** The answer to a JSON-RPC request that failed. */
export const errorShape: Shape = fields({ code: number, message: text }, { data: open })
