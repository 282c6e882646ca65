/** The translations, one per row, in order of application. Sections refer to OATF. */
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
import { toolSchemas } from './tool-schemas.ts'
import type { TranslationRow } from './translation.ts'
import { verbActions } from './verb-actions.ts'

// biome-ignore format: a row is a line
export const dialectTable: readonly TranslationRow[] = [
  { code: 'D-001', section: '§6.1', does: 'reads', ...replyTargets },
  { code: 'D-002', section: '§6.1', does: 'reads', ...callTargets },
  { code: 'D-003', section: '§7', does: 'reads', ...oldSurfaces },
  { code: 'D-004', section: '§7.1.5', does: 'reads', ...verbActions },
  { code: 'D-005', section: '§7.2.5', does: 'reads', ...taskMessage },
  { code: 'D-006', section: '§7.2.4', does: 'reads', ...taskResponses },
  { code: 'D-007', section: '§7.0.1', does: 'reads', ...entryContent },
  { code: 'D-008', section: '§7.1.4', does: 'reads', ...resourceResponses },
  { code: 'D-009', section: '§7.1.4', does: 'reads', ...sideMessages },
  { code: 'D-010', section: '§5.6', does: 'reads', ...awaitExtractors },
  { code: 'D-011', section: '§7.3.4', does: 'fills', ...messageIds },
  { code: 'D-012', section: '§7.3.4', does: 'fills', ...runIds },
  { code: 'D-013', section: '§7.3.4', does: 'replaces', ...contextItems },
  { code: 'D-014', section: '§7.2.4', does: 'replaces', ...a2aTasks },
  { code: 'D-015', section: '§7.2.4', does: 'replaces', ...a2aMessages },
  { code: 'D-016', section: '§7.2.4', does: 'replaces', ...cardAddress },
  { code: 'D-017', section: '§7.1.4', does: 'replaces', ...serverCapabilities },
  { code: 'D-018', section: '§7.1.4', does: 'fills', ...toolSchemas },
]
