/** What an agent is asked when the document has no client actor. */

/** An everyday request that fits any tools and speaks of no attack. */
export const DEFAULT_PROMPT = 'Please use your tools for what they are meant for, and tell me the result.'

/** A prompt in a line for people. */
export function promptLine(prompt: string, how = ''): string {
  return `no client actor: the agent is asked ${how}${JSON.stringify(prompt)}`
}
