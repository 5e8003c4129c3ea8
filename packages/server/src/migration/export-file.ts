/**
 * An export in one of two formats. A document, `{"accounts": [...]}`, is loaded into memory and can have 256 MiB.
 * Lines (NDJSON), one object each in any order, are read twice: first to assign lines to accounts, then account by
 * account, so that memory holds one account and three numbers per line.
 */

import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { decodeUtf8, parseJson } from '@waypost/platform/json/guard'
import { isObject } from '@waypost/platform/json/values'
import { indexLines, maxLineLength, readLines } from './export-lines.ts'
import { noRemarks, type Remarks } from './report.ts'
import { type AccountItems, accountItems, ExportUnreadable } from './v2-objects.ts'

export interface ExportFile extends AsyncDisposable {
  form: 'document' | 'lines'
  /** Number of accounts in the file. */
  accounts: number
  /** Objects that cannot be read, or belong to no account of the file. */
  remarks: Remarks
  items(): AsyncIterable<AccountItems>
}

const mebibyte = 1_048_576
const maxDocument = 256 * mebibyte

/** Opens an export and finds its accounts. */
export async function openExport(file: string): Promise<ExportFile> {
  await using stack = new AsyncDisposableStack()
  const handle = stack.use(await openFile(file))
  const status = await handle.stat()
  if (!status.isFile()) throw new ExportUnreadable(`${file} is not a file`)
  const form = await formOf(handle, file)
  const read = form === 'lines' ? await indexLines(handle) : await readDocument(handle, status.size)
  if (read.accounts === 0 && read.remarks.total === 0) throw new ExportUnreadable(`${file} holds no accounts`)
  const retained = stack.move()
  return { form, ...read, [Symbol.asyncDispose]: () => retained.disposeAsync() }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file)
  } catch (error) {
    throw new ExportUnreadable(`${file} cannot be opened: ${error instanceof Error ? error.message : error}`)
  }
}

/** Lines, if the file name or the first line indicates it: a complete object that is not the document. */
async function formOf(handle: FileHandle, file: string): Promise<ExportFile['form']> {
  if (['.ndjson', '.jsonl'].includes(path.extname(file).toLowerCase())) return 'lines'
  for await (const { value, blank } of readLines(handle, mebibyte)) {
    if (blank) continue
    return isObject(value) && !Object.hasOwn(value, 'accounts') ? 'lines' : 'document'
  }
  return 'document'
}

async function readDocument(
  handle: FileHandle,
  size: number,
): Promise<Omit<ExportFile, 'form' | keyof AsyncDisposable>> {
  if (size > maxDocument) {
    throw new ExportUnreadable(
      `the file is larger than ${maxDocument / mebibyte} MiB: write it as lines (NDJSON), one object of at most ${maxLineLength / mebibyte} MiB each`,
    )
  }
  const text = decodeUtf8(await handle.readFile())?.replace(/^\uFEFF/, '')
  if (text === undefined) throw new ExportUnreadable('the file is not UTF-8')
  const value = parseDocument(text)
  const list = isObject(value) ? value.accounts : undefined
  if (!Array.isArray(list)) throw new ExportUnreadable('the file must be an object with a list of accounts')
  const items = async function* (): AsyncGenerator<AccountItems> {
    for (const [index, account] of list.entries()) yield accountItems(`accounts[${index}]`, account)
  }
  return { accounts: list.length, remarks: noRemarks(), items }
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const parsed = parseJson(text)
    throw new ExportUnreadable(`the file cannot be read: ${parsed.ok ? 'it is not JSON' : parsed.problem}`)
  }
}
