/** Unix seconds of a date and time field in the viewer's time zone; undefined if empty. */
export function secondsOf(local: string): number | undefined {
  const at = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The reverse of `secondsOf`. */
export function localOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
