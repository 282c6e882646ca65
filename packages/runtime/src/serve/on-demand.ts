/** Servers that import their libraries on first use. */

/** Serves an agent as an AG-UI endpoint. */
export const serveAgUi: typeof import('./ag-ui.ts').serveAgUi = async (...args) =>
  (await import('./ag-ui.ts')).serveAgUi(...args)

/** Serves an agent as an A2A agent, for protocol 1.0 and 0.3. */
export const serveA2a: typeof import('./a2a.ts').serveA2a = async (...args) =>
  (await import('./a2a.ts')).serveA2a(...args)

/** Serves agents as the tools of an MCP server over Streamable HTTP. */
export const serveMcp: typeof import('./mcp.ts').serveMcp = async (...args) =>
  (await import('./mcp.ts')).serveMcp(...args)

/** Serves an agent over several protocols in one server. */
export const serveAll: typeof import('./all.ts').serveAll = async (...args) =>
  (await import('./all.ts')).serveAll(...args)

/** Serves agents as the tools of an MCP server over standard streams. */
export const serveMcpStdio: typeof import('./mcp-stdio.ts').serveMcpStdio = async (...args) =>
  (await import('./mcp-stdio.ts')).serveMcpStdio(...args)
