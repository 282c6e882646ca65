/** What an attack may need beyond the text of a user. */

/** Everything beyond a user's text, in words for a sentence. */
export const needTable = {
  turns: 'a conversation of several turns',
  history: 'earlier messages that nobody said in this conversation',
  context: 'context beside the message',
  state: 'shared state',
  metadata: 'metadata of a message',
  tools: 'tools of the client',
  forwarded_props: 'forwarded properties',
  parts: 'files or data beside text',
  silence: 'a request without the words of a user',
  fields: 'a field that only the protocol has',
  methods: 'a method that only the protocol has',
  server_tools: 'an MCP server with tools of its own',
  sampling: 'a model behind its MCP client (sampling)',
  elicitation: 'a user behind its MCP client (elicitation)',
  roots: 'folders behind its MCP client (roots)',
} as const

/** The name of something that an attack may need. */
export type NeedName = keyof typeof needTable

/** Something that an actor needs; `what` names it where there are several of a kind. */
export interface Need {
  readonly name: NeedName
  readonly what?: string
}
