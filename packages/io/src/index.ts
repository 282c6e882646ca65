/** Clock, signals, files, bytes, processes and access control for code that runs on Node. */
export {
  type AccessOptions,
  bracketed,
  checkAccess,
  checkToken,
  isLoopback,
  isSameSecret,
  listedOrigin,
} from './access.ts'
export { createBoundedBytes, type StrictText, sha256, strictText } from './bytes.ts'
export { type Clock, endsWithin, pause, retryAfterMs, startWithin, systemClock, within } from './clock.ts'
export { eventsOf } from './events.ts'
export {
  beginsWith,
  makeFolder,
  openToRead,
  openToWrite,
  pathInside,
  readBounded,
  readInParts,
  refuseLink,
  replaceFile,
  replaceOwn,
  writeAll,
  writeNew,
} from './files.ts'
export { createLineSplitter, type Line } from './lines.ts'
export {
  childEnvironment,
  keepTail,
  type ProcessExit,
  type ProcessOptions,
  type RunningProcess,
  startProcess,
} from './process.ts'
export { openRunFolders, type RunFolders } from './run-folders.ts'
export { abortable, deferred, type LinkedSignal, linkSignals, onAbort, unlimited, withTimeout } from './signals.ts'
export { openTemporaryFolder, removeLeftovers, type TemporaryFolder } from './temporary-folder.ts'
