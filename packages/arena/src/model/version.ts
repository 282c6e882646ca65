/** The version of this tool, as results name it. */
export const JOUST_VERSION = '0.1.0'
