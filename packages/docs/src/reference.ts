/** The reference: Scalar with the API description from the build. Requests from "try it" go to this service. */
import './styles/reference.css'
import { ApiReference } from '@scalar/api-reference'
import { useColorMode } from '@scalar/use-hooks/useColorMode'
import { createApp, defineComponent, h } from 'vue'
import { keepAccessible } from './accessible.ts'
import { documentName, placeNames } from './anchors.ts'
import { serviceUrl } from './base.ts'
import { leaveFirstView } from './first-view.ts'
import { openSite } from './site.ts'

/** The API description, preloaded by a hint in the page. */
const description = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="fetch"]')?.href

/** Fetches the description and adapts its samples to this service; other requests pass unchanged. */
async function ask(...[what, how]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(what, how)
  if (String(what) !== description) return answer
  const text = await answer.text()
  const named: string = JSON.parse(text).servers[0].url
  return new Response(text.replaceAll(named, serviceUrl), { headers: answer.headers })
}

const configuration = {
  url: description,
  slug: documentName,
  customFetch: ask,
  // Requests go to the service that served the page, whatever URL the description names.
  servers: [{ url: serviceUrl, description: 'This service' }],
  // Colors, fonts and the header are ours, so that nothing violates the page's policy.
  theme: 'none' as const,
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  hideSearch: true,
  // Features that would contact other services are off.
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  // Keys are not stored beyond the lifetime of the page.
  persistAuth: false,
  // The description contains the samples: curl, our client, the published client.
  hiddenClients: true as const,
  documentDownloadType: 'none' as const,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultOpenFirstTag: true,
  ...placeNames,
}

const credit = () =>
  h('p', { class: 'credit' }, [
    'Reference by ',
    h('a', { href: 'https://scalar.com', target: '_blank', rel: 'noopener noreferrer' }, 'Scalar'),
  ])

const Reference = defineComponent(() => {
  const { setColorMode } = useColorMode()
  openSite({ themed: setColorMode })
  // Scalar's own footer would cover the end of the menu, so its credit is at the end of the page instead.
  return () => h(ApiReference, { configuration }, { 'sidebar-end': () => h('span'), 'content-end': credit })
})

leaveFirstView()
createApp(Reference).mount('#reference')
keepAccessible(document.body)
