/** What stands behind a name that a model can call. `final` ends the answer, `client` ends the run. */
export type CallableKind = 'local' | 'mcp' | 'agent' | 'remote' | 'final' | 'client'
