import { attackStyle } from './attack.ts'
import { overviewStyle } from './overview.ts'
import { sequenceStyle } from './sequence.ts'
import { themeStyle } from './theme.ts'

/** The style of the report. */
export const reportStyle = [themeStyle, overviewStyle, attackStyle, sequenceStyle].join('')
