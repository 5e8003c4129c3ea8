/**
 * The load times of pages: a cold load in a real browser without throttling, alternating with a page of one line from
 * the same machine. `drawn` is when the page can be used. Processor time is that of the page's main thread.
 *
 *   npm run bench:pages [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserPeer, startBrowser } from '@waypost/testing/peers/browser'
import { firstLoadBytes, openBookingPage } from './booking-page.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { openNode } from './node.ts'

const rounds = quick ? 5 : 15
/** Milliseconds. */
const goal = '<= 2000'

interface Load {
  painted: number
  drawn: number
  processor: number
}

/** Loads a page in a new profile, so that nothing of it is cached. */
async function load(browser: BrowserPeer, url: string, isDrawn: string): Promise<Load> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(url)
    const drawn: number = await page.evaluate(`new Promise((resolve) => {
      const look = () => (${isDrawn} ? resolve(performance.now()) : requestAnimationFrame(look))
      look()
    })`)
    const { metrics } = await session.send('Performance.getMetrics')
    const painted: number = await page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const paint = list.getEntriesByName('first-contentful-paint')[0]
        if (paint) resolve(paint.startTime)
      }).observe({ type: 'paint', buffered: true })
    })`)
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    return { painted, drawn, processor: seconds * 1000 }
  } finally {
    await page.context().close()
  }
}

async function servePlainPage(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Floor</title><p>One line.</p>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

await using node = await openNode()
await using floor = await servePlainPage()
await using browser = await startBrowser()
const base = await node.listen()
const bookingPage = await openBookingPage(node)
const pages = {
  '/docs': { url: `${base}/docs`, isDrawn: "!document.querySelector('#first, #reference[inert]')" },
  '/book': { url: `${base}${bookingPage}`, isDrawn: "Boolean(document.querySelector('.time'))" },
  '/dashboard (sign-in)': { url: `${base}/dashboard`, isDrawn: "Boolean(document.querySelector('h1'))" },
}

const rows: FigureRow[] = []
for (const [name, { url, isDrawn }] of Object.entries(pages)) {
  const loads: { page: Load; floor: Load }[] = []
  for (let turn = -1; turn < rounds; turn++) {
    const pair = { floor: await load(browser, floor.url, 'true'), page: await load(browser, url, isDrawn) }
    // The first turn starts the browser.
    if (turn >= 0) loads.push(pair)
  }
  const row = (what: string, part: keyof Load, aim = ''): FigureRow => {
    const [figure, least] = [median(loads.map(({ page }) => page[part])), median(loads.map((each) => each.floor[part]))]
    return rowOf(`${name}: ${what}`, { figure, floor: least, unit: 'ms', aim, isAbsolute: true })
  }
  rows.push(row('first contentful paint', 'painted', goal), row('drawn, ready for use', 'drawn', goal))
  rows.push(row('processor time until then', 'processor'))
}
const kilobytes = (await firstLoadBytes(base, bookingPage)) / 1024
rows.push(rowOf('/book: HTML, script and style with gzip', { figure: kilobytes, unit: 'KB', aim: '<= 60' }))
report(rows)
