/** Formats errors for people. */

const hasRemedy = (error: Error): error is Error & { remedy: string } =>
  'remedy' in error && typeof error.remedy === 'string'

/** The reason and, if known, the remedy. */
export function complaintOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return hasRemedy(error) ? `${error.message}: ${error.remedy}` : error.message
}
