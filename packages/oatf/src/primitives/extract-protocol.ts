/**
 * Returns the protocol of a mode, which is the mode without `_server` or `_client` ([OATF SDK
 * §5.9](https://oatf.io/sdk/execution-primitives/)).
 *
 * @example
 * console.log(extractProtocol('mcp_server'))
 */
export function extractProtocol(mode: string): string {
  return mode.replace(/_(?:server|client)$/, '')
}
