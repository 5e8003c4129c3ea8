/** A file that is written piece by piece and then saved as a download. */

export interface ExportFile {
  write(text: string): Promise<void>
  /** Saves the file as a download. */
  save(name: string, type: string): Promise<void>
  discard(): Promise<void>
}

const folderName = 'waypost-exports'
/** Time after which the temporary file is deleted, so that the browser can copy it first. */
const retainMs = 60_000

/**
 * Stored in the browser's private file system if there is one, otherwise in a blob, which the browser may move to
 * disk.
 */
export const openExportFile = async (): Promise<ExportFile> => (await openStored().catch(() => undefined)) ?? inBlob()

async function openStored(): Promise<ExportFile | undefined> {
  if (!navigator.storage?.getDirectory) return undefined
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(folderName, { create: true })
  await removeOld(folder)
  const name = `${Date.now()}-${crypto.randomUUID()}`
  const handle = await folder.getFileHandle(name, { create: true })
  const stream = await handle.createWritable()
  const remove = (): Promise<void> => folder.removeEntry(name).catch(() => undefined)
  return {
    write: (text) => stream.write(text),
    async save(fileName, type) {
      await stream.close()
      const file = await handle.getFile()
      download(file.slice(0, file.size, type), fileName)
      setTimeout(() => void remove(), retainMs)
    },
    async discard() {
      await stream.abort()
      await remove()
    },
  }
}

/** Deletes files of exports that were interrupted by closing the page. */
async function removeOld(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of folder.keys()) {
    if (Date.now() - Number.parseInt(name, 10) > retainMs) await folder.removeEntry(name).catch(() => undefined)
  }
}

function inBlob(): ExportFile {
  let parts: Blob | undefined
  return {
    async write(text) {
      parts = new Blob(parts ? [parts, text] : [text])
    },
    async save(name, type) {
      download(new Blob(parts ? [parts] : [], { type }), name)
    },
    async discard() {
      parts = undefined
    },
  }
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), retainMs)
}
