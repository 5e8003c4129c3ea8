// The colors of calendars and events, by id.

const CALENDAR =
  'ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7 9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2'
const EVENT = 'a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127'

export interface Color {
  readonly background: string
  readonly foreground: string
}

function table(colors: string): Readonly<Record<string, Color>> {
  const entries = colors.split(' ').map((hex, index) => {
    const color: Color = { background: `#${hex}`, foreground: '#1d1d1d' }
    return [String(index + 1), color] as const
  })
  return Object.fromEntries(entries)
}

export const calendarColors = table(CALENDAR)
export const eventColors = table(EVENT)
