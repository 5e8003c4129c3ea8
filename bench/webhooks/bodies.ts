/** The payload of service and floor: the same object, in realistic sizes. */

/** A body of about `bytes` bytes. */
export const objectOf = (bytes: number): Record<string, string> => ({
  id: 'x'.repeat(36),
  object: 'event',
  title: 'Weekly review',
  description: 'd'.repeat(Math.max(1, bytes - 420)),
})
