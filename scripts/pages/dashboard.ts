/** The dashboard: packages/dashboard/dist, which the server serves at /dashboard. */
import path from 'node:path'
import { bundleOf, frameOf } from './bundle.ts'
import { compress } from './compress.ts'
import { filesIn, type PagePart, packages } from './part.ts'

const root = path.join(packages, 'dashboard')
const dist = path.join(root, 'dist')

export const dashboard: PagePart = {
  name: 'dashboard',
  built: path.join(dist, 'message-frame.js'),
  sources: () => [
    ...['dashboard/src', 'sdk/src'].flatMap((folder) => filesIn(path.join(packages, folder))),
    path.join(root, 'index.html'),
    path.join(root, 'package.json'),
  ],
  async build() {
    const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
    await build(bundleOf({ root, dist, base: '/dashboard/', plugins: [react()] }))
    await build(frameOf({ root, dist }))
    return compress(path.join(dist, 'assets'))
  },
}
