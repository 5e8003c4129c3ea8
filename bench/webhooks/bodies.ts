/** What service and floor deliver: the same object, in sizes that are sent. */

/** About so many bytes of body. */
export const objectOf = (bytes: number): Record<string, string> => ({
  id: 'x'.repeat(36),
  object: 'event',
  title: 'Weekly review',
  description: 'd'.repeat(Math.max(1, bytes - 420)),
})
