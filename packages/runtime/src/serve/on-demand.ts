/** The servers, each loaded with its libraries on first use. */

/** Serves an agent as an AG-UI endpoint. */
export const serveAgUi: typeof import('./ag-ui.ts').serveAgUi = async (...given) =>
  (await import('./ag-ui.ts')).serveAgUi(...given)

/** Serves an agent as an A2A agent, for protocol 1.0 and 0.3. */
export const serveA2a: typeof import('./a2a.ts').serveA2a = async (...given) =>
  (await import('./a2a.ts')).serveA2a(...given)

/** Serves agents as the tools of an MCP server over Streamable HTTP. */
export const serveMcp: typeof import('./mcp.ts').serveMcp = async (...given) =>
  (await import('./mcp.ts')).serveMcp(...given)

/** Serves agents as the tools of an MCP server over standard streams. */
export const serveMcpStdio: typeof import('./mcp-stdio.ts').serveMcpStdio = async (...given) =>
  (await import('./mcp-stdio.ts')).serveMcpStdio(...given)
