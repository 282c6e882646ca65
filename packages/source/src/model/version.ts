/** The version of Joust. It is the same for all packages; a test compares it with each `package.json`. */
export const joustVersion = '0.1.0'
