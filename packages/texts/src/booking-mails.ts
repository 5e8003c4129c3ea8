/** The texts of mails about bookings. `{organizer}`, `{guest}` and `{title}` are replaced. */
import de from '../booking-mails/de.json' with { type: 'json' }
import en from '../booking-mails/en.json' with { type: 'json' }
import es from '../booking-mails/es.json' with { type: 'json' }
import fr from '../booking-mails/fr.json' with { type: 'json' }
import ja from '../booking-mails/ja.json' with { type: 'json' }
import ko from '../booking-mails/ko.json' with { type: 'json' }
import nl from '../booking-mails/nl.json' with { type: 'json' }
import sv from '../booking-mails/sv.json' with { type: 'json' }
import zh from '../booking-mails/zh.json' with { type: 'json' }

/** The texts of one language. */
export type BookingMailTexts = Readonly<typeof en>

const catalogue = { en, es, fr, de, nl, sv, ja, zh, ko }

/** A missing text does not compile. */
export const bookingMailTexts: Readonly<Record<keyof typeof catalogue, BookingMailTexts>> = catalogue
