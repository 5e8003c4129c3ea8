// Pictures of contacts and users: `photo` returns the size, `photo/$value` the bytes.
// https://learn.microsoft.com/graph/api/profilephoto-get
import type { JsonObject } from '../shared/http.ts'
import { GraphError } from './errors.ts'
import type { GraphAnswer, GraphCall } from './http.ts'

export interface Photo {
  readonly contentType: string
  readonly bytes: Uint8Array
}

const maxBytes = 4 * 1024 * 1024

/** The picture in a request. */
export function readPhoto({ body, headers }: GraphCall): Photo {
  const contentType = headers.get('content-type') ?? ''
  if (!/^image\/(?:jpe?g|png|gif|bmp)$/i.test(contentType) || body.length === 0) {
    throw new GraphError(400, 'ErrorInvalidImage', 'The photo is not an image of a known type.')
  }
  if (body.length > maxBytes) throw new GraphError(413, 'ErrorImageTooLarge', 'The photo is larger than 4 MB.')
  return { contentType, bytes: body }
}

export function imageNotFound(): GraphError {
  return new GraphError(
    404,
    'ImageNotFound',
    "Exception of type 'Microsoft.Fast.Profile.Core.Exception.ImageNotFoundException' was thrown.",
  )
}

export function valueAnswer(photo: Photo | undefined): GraphAnswer {
  if (photo === undefined) throw imageNotFound()
  return { bytes: photo.bytes, headers: { 'content-type': photo.contentType } }
}

export function photoAnswer(photo: Photo | undefined, context: string): GraphAnswer {
  if (photo === undefined) throw imageNotFound()
  return { json: photoJson(photo, context) }
}

function photoJson({ contentType }: Photo, context: string): JsonObject {
  return {
    '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#${context}`,
    '@odata.mediaContentType': contentType,
    id: '240X240',
    width: 240,
    height: 240,
  }
}
