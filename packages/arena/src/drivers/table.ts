/** The supported modes and their drivers. */

import type { KnownMode } from '@joust/oatf'
import type { ClientEnd, ServerEnd } from '../model/wiring.ts'
import { createA2aClientDriver } from './a2a-client/driver.ts'
import { createA2aServerDriver } from './a2a-server/driver.ts'
import { createAgUiClientDriver } from './ag-ui-client/driver.ts'
import type { Driver, DriverContext } from './driver.ts'
import { createMcpClientDriver } from './mcp-client/driver.ts'
import { createMcpServerDriver } from './mcp-server/driver.ts'

export type DriverRow =
  | { readonly mode: KnownMode; readonly role: 'server'; create(context: DriverContext, end: ServerEnd): Driver }
  | { readonly mode: KnownMode; readonly role: 'client'; create(context: DriverContext, end: ClientEnd): Driver }

export const drivers: readonly DriverRow[] = [
  { mode: 'mcp_server', role: 'server', create: createMcpServerDriver },
  { mode: 'mcp_client', role: 'client', create: createMcpClientDriver },
  { mode: 'a2a_server', role: 'server', create: createA2aServerDriver },
  { mode: 'a2a_client', role: 'client', create: createA2aClientDriver },
  { mode: 'ag_ui_client', role: 'client', create: createAgUiClientDriver },
]

/** Returns undefined if the mode is not supported. */
export function findDriver(mode: string): DriverRow | undefined {
  return drivers.find((row) => row.mode === mode)
}
