/** The limits of this package. */
export const modelLimits = {
  /** Maximum size of a recorded request body in bytes; a longer one is still forwarded. */
  requestBytes: 16 * 1024 * 1024,
  /** Maximum size of a recorded response in bytes; a longer one is still forwarded. */
  answerBytes: 16 * 1024 * 1024,
  /** Maximum size of a recorded body after decompression, in bytes. */
  decompressedBytes: 32 * 1024 * 1024,
  /** Maximum size of all recorded bodies in a run, in bytes; later bodies are only forwarded. */
  runBytes: 256 * 1024 * 1024,
  /** Maximum number of recorded calls in a run; later ones are forwarded and counted. */
  runCalls: 20_000,
  /** Maximum number of recorded calls outside any run. */
  unattributedCalls: 100,
  /** Maximum size of request or response headers, in bytes. */
  headerBytes: 64 * 1024,
  /** Maximum number of concurrent connections from agents. */
  connections: 2048,
  /** Milliseconds until an idle connection to the upstream is closed, unless the server requires a shorter time. */
  idleSocketMs: 30_000,
  /** Maximum number of responses per run that later requests can refer to; the oldest are dropped. */
  storedResponses: 1000,
  /** Maximum total length of the items in stored responses, in characters. */
  storedCharacters: 64 * 1024 * 1024,
  /** Maximum nesting depth of JSON strings searched for planted text. */
  jsonInStrings: 3,
  /** Maximum total length of the decoded strings searched in a request, in characters. */
  searchedCharacters: 64 * 1024 * 1024,
  /** Maximum length of a text for which partial matches are searched, in characters; longer texts must match fully. */
  partedCharacters: 64 * 1024,
  /** Minimum length of a partial match, in characters. */
  partCharacters: 40,
  /** Minimum length of a text found inside a string; shorter texts occur by chance and must equal the whole string. */
  containedCharacters: 12,
  /** Maximum size of a recording, in bytes. */
  recordingBytes: 256 * 1024 * 1024,
  /** Maximum length of a provider response quoted in a message, in characters. */
  shownCharacters: 300,
} as const
