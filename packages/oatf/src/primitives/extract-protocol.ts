/** The protocol of a mode: what comes before `_server` or `_client` (SDK §5.9). */
export function extractProtocol(mode: string): string {
  return mode.replace(/_(?:server|client)$/, '')
}
