/**
 * `/openapi.json`: created and compressed on first use, because describing every route takes longer than the rest of
 * the start; then cached.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { newId } from '@waypost/platform/ids'
import { takesGzip } from '../http/respond.ts'
import type { LivePage, PageVisit } from '../pipeline/page.ts'
import { tagged } from './built-files.ts'

const compress = promisify(gzip)

interface Forms {
  plain: Uint8Array<ArrayBuffer>
  packed: Uint8Array<ArrayBuffer>
}

async function formsOf(document: object): Promise<Forms> {
  const plain = new TextEncoder().encode(JSON.stringify(document))
  return { plain, packed: new Uint8Array(await compress(plain)) }
}

/** Callers for whom `mayRead` is false get 404. */
export function openApiPage(document: () => object, mayRead: (visit: PageVisit) => Promise<boolean>): LivePage {
  let forms: Promise<Forms> | undefined
  return {
    path: '/openapi.json',
    async answer(visit) {
      if (!(await mayRead(visit))) return undefined
      forms ??= formsOf(document())
      const { plain, packed } = await forms
      const isPacked = takesGzip.test(visit.header('accept-encoding') ?? '')
      return tagged(visit, {
        status: 200,
        headers: {
          'content-type': 'application/json',
          'x-request-id': newId(),
          'cache-control': 'no-cache',
          vary: 'Accept-Encoding',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
        body: isPacked ? packed : plain,
      })
    },
  }
}
