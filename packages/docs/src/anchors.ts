/** The names of places in the reference, for the page itself and for what links there. */

export const tagSlug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** The place of an operation in the reference. */
export const operationAnchor = (tag: string, operationId: string): string => `tag/${tagSlug(tag)}/${operationId}`
