const asked = new Map()

/** The station needs a moment: the first call gets no data. */
export const readForecast = {
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  call({ place }) {
    const before = asked.get(place) ?? 0
    asked.set(place, before + 1)
    return before === 0 ? `no data for ${place} yet` : `${place}: sun`
  },
}
