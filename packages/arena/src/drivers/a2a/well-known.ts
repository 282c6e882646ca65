/** Where an agent card is found (A2A 0.3.0, RFC 8615). */

/** The place that A2A 0.3.0 names. */
export const CARD_PATH = '/.well-known/agent-card.json'

/** Where clients of earlier versions look. */
export const OLD_CARD_PATH = '/.well-known/agent.json'
