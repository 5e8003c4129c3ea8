/** Anchors in the reference, for the page, its build and links to it. */

export const tagSlug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** Anchor of an operation in the reference. */
export const operationAnchor = (tag: string, operationId: string): string => `tag/${tagSlug(tag)}/${operationId}`

/** The name of the API description within Scalar. The id of every section starts with it. */
export const documentName = 'waypost'

interface OperationPlace {
  operationId?: string | undefined
  method: string
  path: string
}

/** How Scalar names the places of tags and operations. The build and the page must use the same names. */
export const placeNames = {
  generateTagSlug: ({ name = '' }: { name?: string | undefined }): string => tagSlug(name),
  generateOperationSlug: ({ operationId, method, path }: OperationPlace): string => operationId ?? `${method}${path}`,
}
