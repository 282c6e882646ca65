/** The version of Joust: all packages have the same, and a test compares this with each `package.json`. */
export const joustVersion = '0.1.0'
