/** The public names of this package. */
export { type AccessOptions, accessFault, bracketed, isLoopback, listedOrigin, tokenFault } from './access.ts'
export { type BoundedBytes, createBoundedBytes } from './bounded-bytes.ts'
export { type Clock, systemClock } from './clock.ts'
export { childEnvironment } from './environment.ts'
export {
  beginsWith,
  openToRead,
  openToWrite,
  readBounded,
  refuseLink,
  replaceOwn,
  type WriteOptions,
  writeAll,
} from './files.ts'
export { createLineSplitter, type Line, type LineSplitter } from './lines.ts'
export { makeFolder } from './make-folder.ts'
export { openPlace, type Place } from './place.ts'
export { keepTail, type ProcessExit, type ProcessOptions, type RunningProcess, startProcess } from './process.ts'
export { abortable, type LinkedSignal, linkSignals, onAbort, unlimited } from './signals.ts'
export { type StrictText, strictText } from './strict-text.ts'
export { endsWithin, pause, startWithin, within } from './time-limit.ts'
