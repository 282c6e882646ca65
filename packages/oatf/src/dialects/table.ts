/** Dialects: one row per translation, in the order in which they are made. */
import { a2aMessages } from './a2a-messages.ts'
import { a2aTasks } from './a2a-tasks.ts'
import { awaitExtractors } from './await-extractors.ts'
import { callTargets } from './call-targets.ts'
import { cardAddress } from './card-address.ts'
import { contextItems } from './context-items.ts'
import { entryContent } from './entry-content.ts'
import { messageIds } from './message-ids.ts'
import { oldSurfaces } from './old-surfaces.ts'
import { replyTargets } from './reply-targets.ts'
import { resourceResponses } from './resource-responses.ts'
import { runIds } from './run-ids.ts'
import { serverCapabilities } from './server-capabilities.ts'
import { sideMessages } from './side-messages.ts'
import { taskMessage } from './task-message.ts'
import { taskResponses } from './task-responses.ts'
import type { TranslationRow } from './translation.ts'
import { verbActions } from './verb-actions.ts'

// biome-ignore format: a row is a line
export const dialectTable: readonly TranslationRow[] = [
  { code: 'D-001', section: '§6.1', repairs: 'document', find: replyTargets, summary: '`response.content` is where the protocol has the text of an answer; of AG-UI, the whole text of a message.' },
  { code: 'D-002', section: '§6.1', repairs: 'document', find: callTargets, summary: '`a2a.task.message`, and `arguments`, `name` and `body` where a protocol has no such field, are where it has what is asked.' },
  { code: 'D-003', section: '§7', repairs: 'document', find: oldSurfaces, summary: 'A surface or event of an earlier draft (`tool_description`, `task_status`) is an operation of the protocol; a selector begins at the message, not at its `params` or `result`.' },
  { code: 'D-004', section: '§7.1.5', repairs: 'document', find: verbActions, summary: 'An action that is a verb (`list_tools`, `call_tool`) is the request of that name.' },
  { code: 'D-005', section: '§7.2.5', repairs: 'document', find: taskMessage, summary: '`task_message` of an A2A client is an action that sends it, as a stream with `streaming`.' },
  { code: 'D-006', section: '§7.2.4', repairs: 'document', find: taskResponses, summary: '`task_response`, `task` and entries that are a task are `content` of `task_responses`.' },
  { code: 'D-007', section: '§7.0.1', repairs: 'document', find: entryContent, summary: '`response` of a response entry, and `isError` beside its content, are the `content`.' },
  { code: 'D-008', section: '§7.1.4', repairs: 'document', find: resourceResponses, summary: '`responses` of a resource are its `content`.' },
  { code: 'D-009', section: '§7.1.4', repairs: 'document', find: sideMessages, summary: '`sampling_requests` and `logging` of a server are sent before each answer of its tools (`x-joust-during`).' },
  { code: 'D-010', section: '§5.6', repairs: 'document', find: awaitExtractors, summary: '`await_extractors` is left out: triggers give actors an order.' },
  { code: 'D-011', section: '§7.3.4', repairs: 'wire', find: messageIds, summary: 'A message to an AG-UI agent has an `id`.' },
  { code: 'D-012', section: '§7.3.4', repairs: 'wire', find: runIds, summary: 'A run of an AG-UI agent has a `threadId` and a `runId`.' },
  { code: 'D-013', section: '§7.3.4', repairs: 'wire', find: contextItems, summary: 'A context item is a `description` and a `value`, both texts.' },
  { code: 'D-014', section: '§7.2.4', repairs: 'wire', find: a2aTasks, summary: 'A task has the form of A2A 0.3: `status.state`, `status.message`, `artifacts[*].parts`.' },
  { code: 'D-015', section: '§7.2.4', repairs: 'wire', find: a2aMessages, summary: 'A2A messages and parts have the form of A2A 0.3: `kind`, and `messageId` of a message.' },
  { code: 'D-016', section: '§7.2.4', repairs: 'wire', find: cardAddress, summary: 'The `url` of an agent card is the address of the actor.' },
  { code: 'D-017', section: '§7.1.4', repairs: 'wire', find: serverCapabilities, summary: '`capabilities` of an MCP server that names only those of clients (`sampling`, `elicitation`, `roots`) is left out.' },
]
