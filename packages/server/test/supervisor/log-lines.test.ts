import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { lineSplitter, passLines } from '../../src/supervisor/supervised-process.ts'

test('only complete lines are passed on, and the last one gets its line end', () => {
  const lines: string[] = []
  const splitter = lineSplitter((text) => lines.push(text))
  splitter.add('{"a":')
  splitter.add('1}\n{"b":2}\n{"c"')
  expect(lines).toEqual(['{"a":1}\n{"b":2}\n'])
  splitter.end()
  expect(lines.at(-1)).toBe('{"c"\n')
})

test('a line without an end has a maximum length', () => {
  const lines: string[] = []
  const splitter = lineSplitter((text) => lines.push(text))
  splitter.add('x'.repeat(2 ** 20 + 1))
  expect(lines).toHaveLength(1)
})

test('a character whose bytes arrive separately stays intact', async () => {
  const stream = new PassThrough()
  let passed = ''
  passLines(stream, (text) => {
    passed += text
  })
  const bytes = Buffer.from('grün\n')
  stream.write(bytes.subarray(0, 3))
  stream.end(bytes.subarray(3))
  await finished(stream)
  expect(passed).toBe('grün\n')
})
