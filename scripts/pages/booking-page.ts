/** The booking page of guests: packages/booking-page/dist, which the server serves at /book. */
import path from 'node:path'
import { bundleOf, scriptOf } from './bundle.ts'
import { compress } from './compress.ts'
import { filesIn, type PagePart, packages } from './part.ts'

const root = path.join(packages, 'booking-page')
const dist = path.join(root, 'dist')

export const bookingPage: PagePart = {
  name: 'booking-page',
  built: path.join(dist, 'embed.js'),
  sources: () => [
    ...filesIn(path.join(root, 'src')),
    ...['index.html', 'package.json', 'tsconfig.json'].map((name) => path.join(root, name)),
    path.join(packages, 'contract/src/hosted-colors.ts'),
  ],
  async build() {
    const { build } = await import('vite')
    await build(bundleOf({ root, dist, base: '/book/', plugins: [] }))
    await build(scriptOf({ root, dist }, { entry: 'src/embed/embed.ts', name: 'embed', fileName: 'embed.js' }))
    return compress(path.join(dist, 'assets'))
  },
}
