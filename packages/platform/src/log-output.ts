/**
 * Where the lines of the log go. They are written in groups while the process goes on, and what is left is written when it
 * exits. Nobody may read them any more: a supervisor was killed, or a collector ended. Lines are then dropped, because
 * neither the service nor its end may depend on the log.
 */
import { write, writeSync } from 'node:fs'

export interface Output {
  write(lines: string): void
  /** Begins to write what waits. */
  flush(): void
  /** Writes what waits before it returns. A reader that is too slow for that loses lines. */
  flushSync(): void
}

/** Maximum time that a line waits to be written together with others. */
const flushMs = 200
/** So many characters are written at once. */
const groupLength = 4096
/** The pause before another attempt when the reader is too slow, and the number of attempts before a process exits. */
const busyMs = 10
const attemptsAtExit = 100

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
const isBusy = (error: unknown): boolean => codeOf(error) === 'EAGAIN' || codeOf(error) === 'EBUSY'

/** Standard output, or another file. Without new lines, no timer runs. */
export function openOutput(file = 1): Output {
  let waiting = ''
  let isWriting = false
  let isDue = false
  let isBroken = false
  /** Bytes that were refused for the moment, and the timer of the next attempt. */
  let refused: { bytes: Buffer; timer: NodeJS.Timeout } | undefined

  /** Bytes that cannot be written, as on a full disk, are dropped. Without a reader, all later ones are too. */
  const drop = (error: unknown): void => {
    if (codeOf(error) === 'EPIPE') isBroken = true
    if (isBroken) waiting = ''
  }
  const send = (bytes: Buffer): void => {
    refused = undefined
    write(file, bytes, (error, count) => {
      if (isBusy(error)) {
        refused = { bytes, timer: setTimeout(send, busyMs, bytes).unref() }
        return
      }
      if (error) drop(error)
      else if (count < bytes.length) return send(bytes.subarray(count))
      isWriting = false
      if (waiting === '') process.off('exit', flushSync)
      else writeSoon()
    })
  }
  const flush = (): void => {
    isDue = false
    if (isWriting || waiting === '') return
    isWriting = true
    const bytes = Buffer.from(waiting)
    waiting = ''
    send(bytes)
  }
  const writeSoon = (): void => {
    if (waiting.length >= groupLength) flush()
    else if (!isDue) {
      isDue = true
      setTimeout(flush, flushMs).unref()
    }
  }
  const flushSync = (): void => {
    clearTimeout(refused?.timer)
    let bytes = Buffer.concat([refused?.bytes ?? Buffer.alloc(0), Buffer.from(waiting)])
    if (refused) isWriting = false
    refused = undefined
    waiting = ''
    process.off('exit', flushSync)
    for (let attempt = 1; bytes.length > 0 && attempt <= attemptsAtExit; ) {
      try {
        bytes = bytes.subarray(writeSync(file, bytes))
      } catch (error) {
        if (!isBusy(error)) {
          drop(error)
          return
        }
        attempt++
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs)
      }
    }
  }
  return {
    write(lines) {
      if (isBroken) return
      // Only while something waits, so that an output that nobody uses any more can be forgotten.
      if (waiting === '') process.off('exit', flushSync).once('exit', flushSync)
      waiting += lines
      writeSoon()
    },
    flush,
    flushSync,
  }
}
