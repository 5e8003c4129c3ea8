/** Exports a list to a file: reads it page by page, writes each page, and can be canceled. */
import { useRef, useState } from 'react'
import { count, plural } from '../format.ts'
import { openExportFile } from '../list/export-file.ts'
import { type ExportColumn, type ExportFormat, exporterOf, fileTypes } from '../list/export-format.ts'
import type { ReadPage, Total } from '../list/view.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CheckField, Form, SelectField } from './form.tsx'
import { Icon } from './icons.tsx'
import { sayTotal } from './list.tsx'
import { ErrorNote } from './states.tsx'
import type { RowCount } from './table.tsx'
import { showToast } from './toast.tsx'

interface ExportProps<T> extends RowCount {
  /** Prefix of the file name. */
  name: string
  columns: readonly ExportColumn<T>[]
  read: ReadPage<T>
  total?: Total | undefined
}

/** Largest page size of the API. */
const pageRows = 200

/** Reads all pages of a list. */
export async function* pagesOf<T>(read: ReadPage<T>, signal: AbortSignal): AsyncGenerator<T[], void> {
  for (let token = ''; ; ) {
    signal.throwIfAborted()
    const page = await read({ limit: pageRows, ...(token ? { page_token: token } : {}) }, signal)
    yield page.data
    if (page.nextCursor === undefined) return
    token = page.nextCursor
  }
}

async function writeFile<T>(
  { name, columns, read }: ExportProps<T>,
  { format, byteOrderMark }: { format: ExportFormat; byteOrderMark: boolean },
  { signal, onProgress }: { signal: AbortSignal; onProgress(rows: number): void },
): Promise<number> {
  const exporter = exporterOf(format, columns, { byteOrderMark })
  const file = await openExportFile()
  let rows = 0
  try {
    await file.write(exporter.begin())
    for await (const page of pagesOf(read, signal)) {
      await file.write(exporter.rows(page))
      rows += page.length
      onProgress(rows)
    }
    await file.write(exporter.end())
  } catch (error) {
    await file.discard()
    throw error
  }
  const { ending, type } = fileTypes[format]
  await file.save(`${name}-${new Date().toISOString().slice(0, 10)}.${ending}`, type)
  return rows
}

export function ExportButton<T>(props: ExportProps<T>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="download" />
        Export
      </Button>
      {open && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const isFormat = (text: string | undefined): text is ExportFormat =>
  text !== undefined && Object.hasOwn(fileTypes, text)

function ExportDialog<T>({ onClose, ...props }: ExportProps<T> & { onClose(): void }) {
  const [written, setWritten] = useState<number>()
  const [error, setError] = useState<unknown>()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const stopping = useRef(new AbortController())
  const { one, many, total } = props
  const close = (): void => {
    stopping.current.abort()
    onClose()
  }
  const begin = async (byteOrderMark: boolean): Promise<void> => {
    const { signal } = stopping.current
    setWritten(0)
    setError(undefined)
    try {
      const rows = await writeFile(props, { format, byteOrderMark }, { signal, onProgress: setWritten })
      showToast(`${plural(rows, one, many)} exported`)
      onClose()
    } catch (failed) {
      if (signal.aborted) showToast('Export canceled')
      else setError(failed)
      setWritten(undefined)
    }
  }
  return (
    <Dialog title={`Export ${many ?? `${one}s`}`} onClose={close}>
      {written === undefined ? (
        <Form own submit="Export" onCancel={close} onSubmit={async (values) => void begin(values.checked('mark'))}>
          <p>Exports {total ? sayTotal(total, props) : 'all rows'} that match the current filters, on all pages.</p>
          <SelectField
            label="Format"
            name="format"
            value={format}
            onChange={(value) => isFormat(value) && setFormat(value)}
            options={Object.entries(fileTypes).map(([key, { words }]) => [key, words] as const)}
          />
          {format === 'csv' && (
            <CheckField
              name="mark"
              label="Add a byte order mark"
              hint="Excel needs it to show non-English letters correctly."
            />
          )}
          {error !== undefined && <ErrorNote error={error} />}
        </Form>
      ) : (
        <>
          <progress
            aria-label="Progress"
            max={total && !total.more ? total.count : undefined}
            value={total && !total.more ? written : undefined}
          />
          <p role="status">{count(written)} rows written</p>
          <div className="dialog-foot">
            <Button onClick={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
