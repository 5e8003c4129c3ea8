/**
 * Answers that are files: their bytes go out as they come, never whole in memory.
 *
 *   startFile ──first bytes are there──▶ headers ──▶ flowOf ──last byte──▶ done
 *      │  a failure is an error in JSON             │  a failure breaks the connection: a part must not pass for the whole
 *      └─ deadline, or the client left: cancelled    └─ no progress for a minute, or the client left: cancelled
 */
import type { FileContent } from '@waypost/providers/operations'

/** A file whose first bytes have arrived; `first` is undefined if the file is empty. */
export interface StartedFile {
  reader: ReadableStreamDefaultReader<Uint8Array>
  first: Uint8Array | undefined
  size: number | undefined
}

export interface FileAnswer {
  status: number
  headers: Record<string, string>
  file: StartedFile
}

/** The end of a file transfer; without `error` it is complete. */
export interface FileEnd {
  bytes: number
  error?: unknown
}

export interface Flow {
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Milliseconds without progress after which the transfer ends. */
  quietMs: number
  ended(end: FileEnd): void
}

const ignore = (): void => undefined

/** Waits for the first bytes, so that a file that cannot be read is answered with an error. The signal cancels it. */
export async function startFile(
  content: FileContent,
  signal: AbortSignal,
  { status, headers }: Pick<FileAnswer, 'status' | 'headers'> = { status: 200, headers: {} },
): Promise<FileAnswer> {
  const reader = content.content.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(ignore)
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    const { value } = await reader.read()
    return {
      status,
      headers: { ...headersOf(content), ...headers },
      file: { reader, first: value, size: content.size },
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Cancels a file that is not sent. */
export const dropFile = ({ reader }: StartedFile): void => void reader.cancel().catch(ignore)

/** The bytes of a started file, at the pace of the client. */
export function flowOf(file: StartedFile, flow: Flow): ReadableStream<Uint8Array> {
  const { reader, size } = file
  let first = file.first
  let bytes = 0
  let over = false
  let timer: NodeJS.Timeout | undefined
  let controller: ReadableStreamDefaultController<Uint8Array>

  const end = (error?: unknown): boolean => {
    if (over) return false
    over = true
    clearTimeout(timer)
    flow.signal.removeEventListener('abort', leave)
    flow.ended(error === undefined ? { bytes } : { bytes, error })
    return true
  }
  const fail = (error: unknown): void => {
    if (!end(error)) return
    reader.cancel(error).catch(ignore)
    controller.error(error)
  }
  const leave = (): void => fail(new Error('the client went away'))
  const waitForProgress = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => fail(new Error(`no progress for ${flow.quietMs} ms`)), flow.quietMs)
  }
  const next = async (): Promise<Uint8Array | undefined> => {
    const begun = first
    first = undefined
    return begun ?? (await reader.read()).value
  }

  return new ReadableStream(
    {
      start(own) {
        controller = own
        flow.signal.addEventListener('abort', leave, { once: true })
        if (flow.signal.aborted) leave()
        else waitForProgress()
      },
      async pull() {
        try {
          const chunk = await next()
          if (over) return
          bytes += chunk?.byteLength ?? 0
          // A declared length must be met: the client expects the next answer right after it.
          if (size !== undefined && (bytes > size || (!chunk && bytes < size))) {
            throw new Error(`the file has ${bytes} bytes where ${size} were expected`)
          }
          if (chunk) {
            waitForProgress()
            controller.enqueue(chunk)
          } else if (end()) controller.close()
        } catch (error) {
          fail(error)
        }
      },
      cancel(reason) {
        if (end(reason ?? new Error('the client went away'))) return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const headersOf = ({ contentType, filename, size }: FileContent): Record<string, string> => ({
  'content-type': mediaTypeOf(contentType),
  'content-disposition': dispositionOf(filename),
  // If a browser renders the file anyway, it runs in a sandbox.
  'content-security-policy': "default-src 'none'; sandbox",
  ...(size === undefined ? {} : { 'content-length': String(size) }),
})

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const bareType = new RegExp(`^${token}/${token}$`)
const wholeType = new RegExp(
  `^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"))*$`,
)
const maxTypeLength = 256

/** A media type as RFC 9110 §8.3.1 writes it: with its parameters, or without those that are broken. */
export function mediaTypeOf(text: string): string {
  const whole = text.trim()
  if (whole.length <= maxTypeLength && wholeType.test(whole)) return whole
  const bare = (whole.slice(0, maxTypeLength).split(';', 1)[0] ?? '').trim()
  return bareType.test(bare) ? bare : 'application/octet-stream'
}

const maxNameLength = 200

/** RFC 6266: to be saved, never shown; the name in ASCII for old clients, and as it is. */
export function dispositionOf(filename: string | null): string {
  // What would lead out of a folder, or off the line, is no part of a name.
  const name = [...(filename ?? '').toWellFormed().replace(/[\p{Cc}\p{Cf}/\\]/gu, '_')].slice(0, maxNameLength).join('')
  if (name === '') return 'attachment'
  const plain = name.replace(/[^ -~]/gu, '_').replace(/["%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
