import type { ConsentTexts } from './consent-texts.ts'

export const consentPl: ConsentTexts = {
  'consent.title': 'Połącz {client} z {application}',
  'consent.unverified':
    'Niezweryfikowane: tej nazwy może użyć każdy. Kontynuuj tylko wtedy, gdy ta prośba pochodzi od Ciebie.',
  'consent.verified': 'Opublikowane przez {host}',
  'consent.returns_site': 'Potem wrócisz do {place}.',
  'consent.returns_device': 'Potem wrócisz do programu na tym urządzeniu ({place}).',
  'consent.returns_app': 'Potem wrócisz do aplikacji na tym urządzeniu ({place}).',
  'consent.sign_in_why': 'Zaloguj się na konto połączone z {application}. Potem wybierzesz, co może robić {client}.',
  'consent.sign_in': 'Zaloguj się na swoje konto',
  'consent.cancel': 'Anuluj',
  'consent.as_administrator': 'Administruję {application}',
  'consent.administrator': 'Decydujesz jako administrator ({name}).',
  'consent.administrator_sign_in': 'Najpierw zaloguj się do panelu. Potem otwórz tę stronę ponownie.',
  'consent.dashboard': 'Otwórz panel',
  'consent.need_rights':
    'Nie możesz o tym decydować: administrator musi mieć prawo do zmiany aplikacji i do danych klientów.',
  'consent.accounts': 'Które konta?',
  'consent.search': 'Szukaj kont',
  'consent.no_accounts': 'Nie znaleziono konta.',
  'consent.rights': 'Co może robić?',
  'consent.careful': '(ostrożnie)',
  'consent.ask': 'Pytaj, zanim zrobi to',
  'consent.ask_why': 'Ktoś musi zatwierdzić każde z tych działań, zanim nastąpi.',
  'consent.allow': 'Zezwól',
  'consent.deny': 'Odmów',
  'consent.later': 'Możesz to rozłączyć w każdej chwili.',
  'consent.choose_account': 'Wybierz co najmniej jedno konto.',
  'consent.choose_right': 'Wybierz co najmniej jedno prawo.',
  'consent.stop_title': 'Nie można nawiązać połączenia',
  'consent.stop_advice':
    'Wróć do programu, z którego przychodzisz, i zacznij od nowa. Jeśli to nie pomoże, powiadom osoby, które go prowadzą.',
  'consent.no_application':
    'Ten adres nie wskazuje aplikacji albo aplikacja nie dopuszcza agentów. Zapytaj osoby prowadzące usługę o adres swojej aplikacji.',
}
