/** Writes attacks: recorded sessions, attacks aimed at real tools, imported benchmarks. */

export type { Session, SessionCall, SessionServer, SessionTool } from './session/session.ts'
