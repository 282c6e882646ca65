/** The limits of this package. */
export const modelLimits = {
  /** Maximum size of a recorded request body in bytes; a longer one is still forwarded. */
  requestBytes: 16 * 1024 * 1024,
  /** Maximum size of a recorded answer in bytes; a longer one is still forwarded. */
  answerBytes: 16 * 1024 * 1024,
  /** Maximum size of a recorded body after decompression, in bytes. */
  decompressedBytes: 32 * 1024 * 1024,
  /** Maximum size of all recorded bodies of a run in bytes; later bodies are only forwarded. */
  runBytes: 256 * 1024 * 1024,
  /** Maximum number of recorded calls of a run; later ones are forwarded and counted. */
  runCalls: 20_000,
  /** Maximum number of recorded calls outside any run. */
  unattributedCalls: 100,
  /** Maximum size of the headers of a request or an answer, in bytes. */
  headerBytes: 64 * 1024,
  /** Maximum number of concurrent connections from agents. */
  connections: 2048,
  /** Milliseconds until an idle connection to the upstream is closed, unless the server requires a shorter time. */
  idleSocketMs: 30_000,
  /** Maximum number of responses of a run that later requests can refer to; the oldest are dropped. */
  storedResponses: 1000,
  /** Maximum length of the items of all these responses, in characters. */
  storedCharacters: 64 * 1024 * 1024,
  /** Maximum nesting depth of JSON strings that are searched for a text. */
  jsonInStrings: 3,
  /** Maximum length of all decoded strings of a request that are searched, in characters. */
  searchedCharacters: 64 * 1024 * 1024,
  /** Maximum length of a text whose parts are searched for, in characters; a longer text must occur as a whole. */
  partedCharacters: 64 * 1024,
  /** The minimum length of a part of a text. */
  partCharacters: 40,
  /** Minimum length of a partial string; shorter texts occur by chance and must equal a whole string. */
  containedCharacters: 12,
  /** Maximum size of a recording, in bytes. */
  recordingBytes: 256 * 1024 * 1024,
  /** Maximum length of a provider's text in a message, in characters. */
  shownCharacters: 300,
} as const
