/** Passes on the output of a process in whole lines, so that lines of several processes never mix. */
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A longer line is passed on in parts, so that its process cannot fill the memory of the supervisor. */
const maxLineLength = 1_048_576

/** Splits text into lines; the rest waits for its end. */
export function lineSplitter(write: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = ''
  return {
    add(text) {
      const end = text.lastIndexOf('\n')
      if (end === -1) rest += text
      else {
        write(rest + text.slice(0, end + 1))
        rest = text.slice(end + 1)
      }
      if (rest.length <= maxLineLength) return
      write(`${rest}\n`)
      rest = ''
    },
    end() {
      if (rest !== '') write(`${rest}\n`)
      rest = ''
    },
  }
}

/** Passes on everything that the stream says. */
export function passLines(stream: Readable, write: (lines: string) => void): void {
  const decoder = new StringDecoder('utf8')
  const lines = lineSplitter(write)
  stream.on('data', (bytes: Buffer) => lines.add(decoder.write(bytes)))
  stream.on('end', () => {
    lines.add(decoder.end())
    lines.end()
  })
}
