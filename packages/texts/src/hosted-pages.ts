/** The texts of the hosted pages: those of signing in, of agents, and of their approvals. */
import de from '../hosted-pages/de.json' with { type: 'json' }
import en from '../hosted-pages/en.json' with { type: 'json' }
import es from '../hosted-pages/es.json' with { type: 'json' }
import fr from '../hosted-pages/fr.json' with { type: 'json' }
import it from '../hosted-pages/it.json' with { type: 'json' }
import ja from '../hosted-pages/ja.json' with { type: 'json' }
import nl from '../hosted-pages/nl.json' with { type: 'json' }
import pl from '../hosted-pages/pl.json' with { type: 'json' }
import pt from '../hosted-pages/pt.json' with { type: 'json' }
import zhHans from '../hosted-pages/zh-Hans.json' with { type: 'json' }
import { languagesOf } from './languages.ts'

/** The texts of one language. */
export type HostedPageTexts = Readonly<typeof en>

/** A missing text does not compile. */
export const hostedPageLanguages = languagesOf<HostedPageTexts>({
  en,
  de,
  es,
  fr,
  it,
  nl,
  pl,
  pt,
  ja,
  'zh-Hans': zhHans,
})
