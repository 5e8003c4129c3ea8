/** The compressed forms of built files, written next to them, so that the server compresses nothing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Compresses the text files of a folder, one at a time to save memory. Returns their total size with gzip. */
export async function compress(folder: string): Promise<number> {
  let total = 0
  for (const name of readdirSync(folder).filter((each) => /\.(?:js|css|svg|json|html)$/.test(each))) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    const gz = await promisify(gzip)(bytes, { level: 9 })
    const br = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } })
    writeFileSync(`${file}.gz`, gz)
    writeFileSync(`${file}.br`, br)
    total += gz.length
  }
  return total
}
