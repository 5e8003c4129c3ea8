/** Builds a request from the form values and sends it. */
import { baseUrl } from '../../api.ts'
import { emptyBody, type Operation, type Parameter } from './operations.ts'

/** Values of the form. */
export interface Filled {
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: unknown
}

export interface Request {
  method: string
  url: string
  body: string | undefined
  files: readonly File[]
  /** Form part that contains the body if there are files. */
  part: string | undefined
}
export interface Answer {
  status: number
  milliseconds: number
  requestId: string | null
  headers: readonly (readonly [name: string, value: string])[]
  text: string
  json: unknown
  file: { url: string; bytes: number; name: string } | undefined
}

/** A query value as it is sent. List items are separated by commas. */
const sent = (parameter: Parameter, text: string): string =>
  parameter.schema?.type === 'array'
    ? text
        .split(/[\n,]/)
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .join(',')
    : text

/** Empty fields are omitted. */
export function requestOf(operation: Operation, filled: Filled, files: readonly File[]): Request {
  let path = operation.path
  const query = new URLSearchParams()
  for (const parameter of operation.parameters) {
    const { name } = parameter
    const text = (parameter.in === 'path' ? filled.path[name] : filled.query[name]) ?? ''
    if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text) || `{${name}}`)
    else if (text.trim() !== '') query.set(name, sent(parameter, text))
  }
  return {
    method: operation.method,
    url: `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`,
    body: operation.body ? JSON.stringify(filled.body ?? emptyBody(operation)) : undefined,
    files: operation.filePart ? files : [],
    part: operation.filePart,
  }
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let from = 0; from < bytes.length; from += 32_768) {
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768))
  }
  return btoa(text)
}

/** Session requests are always JSON, as protection against cross-site requests. Files are embedded as base64. */
async function payloadOf({ body, files }: Request): Promise<string | undefined> {
  if (files.length === 0 || body === undefined) return body
  const attachments = await Promise.all(
    files.map(async (file) => ({
      filename: file.name,
      content_type: file.type || 'application/octet-stream',
      content: await base64Of(file),
    })),
  )
  const given: { attachments?: unknown[] } = JSON.parse(body)
  return JSON.stringify({ ...given, attachments: [...(given.attachments ?? []), ...attachments] })
}

const nameOf = (disposition: string | null): string =>
  (/filename="?([^";]+)"?/.exec(disposition ?? '')?.[1] ?? 'file').replaceAll(/[\\/\p{C}]/gu, '_')

/** Uses plain fetch instead of the SDK, because the page shows the exact response. */
export async function sendRequest(application: string, request: Request): Promise<Answer> {
  const body = await payloadOf(request)
  const start = performance.now()
  const response = await fetch(request.url, {
    method: request.method,
    credentials: 'same-origin',
    redirect: 'manual',
    headers: {
      'x-waypost-application': application,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body,
  })
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const blob = isJson ? undefined : await response.blob()
  const text = isJson ? await response.text() : ''
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - start),
    requestId: response.headers.get('x-request-id'),
    headers: [...response.headers],
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
    // The file is saved, never opened, so that its content cannot run on this page.
    file: blob && {
      url: URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' })),
      bytes: blob.size,
      name: nameOf(response.headers.get('content-disposition')),
    },
  }
}
