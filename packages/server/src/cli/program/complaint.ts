/** What a failure is called before people. */

const hasRemedy = (error: Error): error is Error & { remedy: string } =>
  'remedy' in error && typeof error.remedy === 'string'

/** The reason and, where it is known, what to do about it. */
export function complaintOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return hasRemedy(error) ? `${error.message}: ${error.remedy}` : error.message
}
