/** The reference: Scalar over the API description that was built beside it, trying requests at this very service. */
import './styles/reference.css'
import { ApiReference } from '@scalar/api-reference'
import { useColorMode } from '@scalar/use-hooks/useColorMode'
import { createApp, defineComponent, h } from 'vue'
import { keepAccessible } from './accessible.ts'
import { documentName, placeNames } from './anchors.ts'
import { serviceUrl } from './base.ts'
import { leaveFirstView } from './first-view.ts'
import { openSite } from './site.ts'

/** The API description: fetched while the scripts are, by a hint in the page. */
const description = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="fetch"]')?.href

/** The description, with its samples at this very service; whatever else is asked for goes out as it is. */
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
  // Requests go to where the page came from, whatever address the description names.
  servers: [{ url: serviceUrl, description: 'This service' }],
  // Colors, fonts and the header are ours: nothing is written into the page that its policy refuses.
  theme: 'none' as const,
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  hideSearch: true,
  // What would ask others than this service.
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  // Keys live as long as the page does.
  persistAuth: false,
  // Samples stand in the description: curl, our client, the published client.
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
  // Scalar's own footer stands over the end of the menu. Its credit stands at the end of the page instead.
  return () => h(ApiReference, { configuration }, { 'sidebar-end': () => h('span'), 'content-end': credit })
})

leaveFirstView()
createApp(Reference).mount('#reference')
keepAccessible(document.body)
