/** Compares telephone numbers regardless of spaces, brackets and the international prefix. Pure. */

/** A key that is equal for different spellings of a number; empty if the text has no number. */
export const sameNumberKey = (number: string): string =>
  number
    .replace(/[^\d+]/g, '')
    .replace(/^00/, '+')
    .replace(/^\+/, '')

export const isSameNumber = (a: string, b: string): boolean => {
  const key = sameNumberKey(a)
  return key !== '' && key === sameNumberKey(b)
}
