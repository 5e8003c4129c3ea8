/** The texts of the booking pages. The server puts the texts of one language into the page. */
import de from '../booking-pages/de.json' with { type: 'json' }
import en from '../booking-pages/en.json' with { type: 'json' }
import es from '../booking-pages/es.json' with { type: 'json' }
import fr from '../booking-pages/fr.json' with { type: 'json' }
import it from '../booking-pages/it.json' with { type: 'json' }
import ja from '../booking-pages/ja.json' with { type: 'json' }
import ko from '../booking-pages/ko.json' with { type: 'json' }
import nl from '../booking-pages/nl.json' with { type: 'json' }
import pl from '../booking-pages/pl.json' with { type: 'json' }
import pt from '../booking-pages/pt.json' with { type: 'json' }
import sv from '../booking-pages/sv.json' with { type: 'json' }
import zhHans from '../booking-pages/zh-Hans.json' with { type: 'json' }
import { languagesOf } from './languages.ts'

/** The texts of one language. */
export type BookingPageTexts = Readonly<typeof en>

/** A missing text does not compile. */
export const bookingPageLanguages = languagesOf<BookingPageTexts>({
  en,
  de,
  es,
  fr,
  it,
  nl,
  pl,
  pt,
  sv,
  ja,
  ko,
  'zh-Hans': zhHans,
})
