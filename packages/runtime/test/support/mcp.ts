/** Connections to MCP servers that are closed when the test ends. */
import { fileURLToPath } from 'node:url'
import type { Value } from '@joust/source'
import { afterEach } from 'vitest'
import { connectMcp } from '../../src/connectors/mcp-connection.ts'
import type { CommandBinding, UrlBinding } from '../../src/model/bindings.ts'
import type { McpConnection, McpHandlers } from '../../src/model/connection.ts'

const declining: McpHandlers = { sample: async () => undefined, elicit: async () => undefined }

/** A signal that never fires. */
export const never = new AbortController().signal

/** A fixture script as a command. */
export function fixture(name: string, ...args: string[]): CommandBinding {
  const script = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
  return { command: process.execPath, args: [script, ...args] }
}

/** Connects and closes the connection after the test. */
export function useMcp() {
  const open: McpConnection[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((connection) => connection.close()))
  })
  return async (binding: CommandBinding | UrlBinding, handlers: Partial<McpHandlers> = {}, signal = never) => {
    const connection = await connectMcp(binding, { ...declining, ...handlers }, signal)
    open.push(connection)
    return connection
  }
}

/** The text that a tool answers with, or its content as it is. */
export async function call(connection: McpConnection, name: string, args: Value = {}): Promise<Value> {
  return (await connection.callTool(name, args, never)).content
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
