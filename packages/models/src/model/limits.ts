/** The limits of this package. */
export const modelLimits = {
  /** Bytes of a recorded request body; a longer one is still forwarded. */
  requestBytes: 16 * 1024 * 1024,
  /** Bytes of a recorded answer; a longer one is still forwarded. */
  answerBytes: 16 * 1024 * 1024,
  /** Bytes of a recorded body after decompression. */
  decompressedBytes: 32 * 1024 * 1024,
  /** Bytes of all recorded bodies of a run; later bodies are only forwarded. */
  runBytes: 256 * 1024 * 1024,
  /** Recorded calls of a run; later ones are forwarded and counted. */
  runCalls: 20_000,
  /** Recorded calls outside any run. */
  unattributedCalls: 100,
  /** Bytes of the headers of a request or an answer. */
  headerBytes: 64 * 1024,
  /** Concurrent connections of agents. */
  connections: 2048,
  /** Milliseconds until an idle connection to the upstream is closed, unless the server requires a shorter time. */
  idleSocketMs: 30_000,
  /** Responses of a run that later requests can refer to; the oldest are dropped. */
  storedResponses: 1000,
  /** Characters of the items of all of these responses. */
  storedCharacters: 64 * 1024 * 1024,
  /** Nesting levels of JSON inside strings that are searched for a text. */
  jsonInStrings: 3,
  /** Characters of all decoded strings of a request that are searched. */
  searchedCharacters: 64 * 1024 * 1024,
  /** Characters of a text whose parts are searched for; a longer text must occur as a whole. */
  partedCharacters: 64 * 1024,
  /** The minimum length of a part of a text. */
  partCharacters: 40,
  /** Shorter texts must be a whole string of the request, because they occur in others by chance. */
  containedCharacters: 12,
  /** Bytes of a recording. */
  recordingBytes: 256 * 1024 * 1024,
  /** Characters of a provider's text that are quoted in a message. */
  shownCharacters: 300,
} as const
