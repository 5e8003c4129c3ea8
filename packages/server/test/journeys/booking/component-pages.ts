/**
 * A site that uses the published scheduling components (npm `@nylas/web-elements`), unmodified, as their guide shows:
 * `/book` is a booking page, `/editor` the editor of configurations.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { BrowserPeer } from '@waypost/testing/peers/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'

const bundles = path.join(import.meta.dirname, '../../node_modules/@nylas/web-elements/dist/cdn')
/** `npm ci` in tools/ installs the components. If the registry lacks them, the journey is skipped. */
export const hasComponents = existsSync(bundles)

export interface ComponentSite extends AsyncDisposable {
  url: string
  /** The same site on an origin that is not registered for any application, for the pages of guests. */
  guestUrl: string
  /** Opens an address in a new profile that can reach only this machine. */
  open(address: string): Promise<Page>
  /** Requests to other machines that the pages attempted. */
  readonly foreign: readonly string[]
}

const component = (
  tag: string,
  properties: string,
): string => `<!doctype html><meta charset="utf-8"><title>${tag}</title><body>
<script type="module">
  import { defineCustomElement } from '/bundles/${tag}/${tag}.es.js'
  defineCustomElement()
  const query = Object.fromEntries(new URLSearchParams(location.search))
  const common = { enableUserFeedback: false, nylasBranding: false, defaultLanguage: 'en' }
  document.body.append(Object.assign(document.createElement('${tag}'), common, ${properties}))
</script>`

/** The query of the page sets the properties of the booking component: `/book?configurationId=…`. */
const bookingPage = (api: string): string =>
  component('nylas-scheduling', `{ schedulerApiUrl: ${JSON.stringify(api)}, ...query }`)

const editorPage = (api: string, clientId: string, own: string): string =>
  component(
    'nylas-scheduler-editor',
    JSON.stringify({
      nylasSessionsConfig: {
        clientId,
        redirectUri: `${own}/editor`,
        domain: `${api}/v3`,
        hosted: true,
        accessType: 'offline',
      },
      schedulerPreviewLink: `${api}/book/${clientId}/{slug}`,
    }),
  )

async function sendBundle(response: ServerResponse, name: string): Promise<void> {
  const file = await readFile(path.join(bundles, name)).catch(() => undefined)
  if (file === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(file)
}

const zones = ['Pacific/Auckland', 'Asia/Tokyo', 'Asia/Karachi', 'Europe/Berlin', 'America/Sao_Paulo', 'America/Denver']
const hourIn = (timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format())
/**
 * A time zone in which the day has just begun. The components first show today, which then has free times whenever the
 * test runs.
 */
const morningZone = (): string => zones.find((zone) => hourIn(zone) < 10) ?? 'Pacific/Honolulu'

/** Opens the site for an application of the service at `api`. */
export async function openComponentSite(
  browser: BrowserPeer,
  { api, clientId }: { api: string; clientId: string },
): Promise<ComponentSite> {
  const foreign: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', url)
    const bundle = /^\/bundles\/([\w-]+\/[\w-]+\.es\.js)$/.exec(pathname)?.[1]
    if (bundle !== undefined) return void sendBundle(response, bundle)
    const html = { '/book': bookingPage(api), '/editor': editorPage(api, clientId, url) }[pathname]
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options: BrowserContextOptions = { locale: 'en-US', timezoneId: morningZone() }
  return {
    url,
    guestUrl: url.replace('127.0.0.1', 'localhost'),
    foreign,
    async open(address) {
      const page = await browser.newPage(options)
      await page.route(
        ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
        (route) => {
          foreign.push(route.request().url())
          return route.abort()
        },
      )
      await page.goto(address)
      return page
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
