/** The compressed forms of built files, written beside them, so that the server compresses nothing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Compresses what is text in a folder; how many bytes it has with gzip. */
export async function compress(folder: string): Promise<number> {
  const names = readdirSync(folder).filter((name) => /\.(?:js|css|svg|json|html)$/.test(name))
  const sizes = names.map(async (name) => {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    const [gz, br] = await Promise.all([
      promisify(gzip)(bytes, { level: 9 }),
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    ])
    writeFileSync(`${file}.gz`, gz)
    writeFileSync(`${file}.br`, br)
    return gz.length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
