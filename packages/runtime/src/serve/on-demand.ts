/** Serving functions that import their libraries on first use. */

/**
 * Serves an agent as an AG-UI endpoint.
 *
 * @example
 * const { url, close } = await serveAgUi(createRuntime(), loadedAgent.agent, { port: 8000 })
 */
export const serveAgUi: typeof import('./ag-ui.ts').serveAgUi = async (...args) =>
  (await import('./ag-ui.ts')).serveAgUi(...args)

/**
 * Serves an agent over A2A 1.0 and 0.3.
 *
 * @example
 * const { url } = await serveA2a(createRuntime(), loadedAgent.agent, { token: password })
 */
export const serveA2a: typeof import('./a2a.ts').serveA2a = async (...args) =>
  (await import('./a2a.ts')).serveA2a(...args)

/**
 * Serves agents as the tools of an MCP server over Streamable HTTP.
 *
 * @example
 * const { url } = await serveMcp(createRuntime(), [loadedAgent.agent])
 */
export const serveMcp: typeof import('./mcp.ts').serveMcp = async (...args) =>
  (await import('./mcp.ts')).serveMcp(...args)

/**
 * Serves an agent over several protocols on one server.
 *
 * @example
 * const { urls } = await serveAll(createRuntime(), loadedAgent.agent, ['ag-ui', 'mcp'])
 */
export const serveAll: typeof import('./all.ts').serveAll = async (...args) =>
  (await import('./all.ts')).serveAll(...args)

/**
 * Serves agents as the tools of an MCP server over standard streams.
 *
 * @example
 * const { closed } = await serveMcpStdio(createRuntime(), loadedAgent.agent)
 * await closed
 */
export const serveMcpStdio: typeof import('./mcp-stdio.ts').serveMcpStdio = async (...args) =>
  (await import('./mcp-stdio.ts')).serveMcpStdio(...args)
