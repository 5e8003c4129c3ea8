/** Telephone numbers are the same however they are set: with spaces, brackets, or the sign of a country. Pure. */

/** What two ways to write a number have in common; empty where there is no number in it. */
export const sameNumberKey = (number: string): string =>
  number
    .replace(/[^\d+]/g, '')
    .replace(/^00/, '+')
    .replace(/^\+/, '')

export const isSameNumber = (a: string, b: string): boolean => {
  const key = sameNumberKey(a)
  return key !== '' && key === sameNumberKey(b)
}
