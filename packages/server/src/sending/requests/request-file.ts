/** A file of a form; `name` is the name of its part. */
export interface RequestFile {
  name: string
  filename: string
  contentType: string | undefined
  content: Uint8Array
}

/** The name of a part, which comes from the client, shortened for an error message. */
export const shownPart = (name: string): string => name.slice(0, 60).replace(/\p{Cc}/gu, ' ')
