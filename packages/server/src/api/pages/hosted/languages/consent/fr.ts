import type { ConsentTexts } from './consent-texts.ts'

export const consentFr: ConsentTexts = {
  'consent.title': 'Connecter {client} à {application}',
  'consent.unverified':
    'Non vérifié : n’importe qui peut utiliser ce nom. Continuez seulement si vous avez lancé cette demande vous-même.',
  'consent.verified': 'Publié par {host}',
  'consent.returns_site': 'Vous reviendrez ensuite à {place}.',
  'consent.returns_device': 'Vous reviendrez ensuite à un programme sur cet appareil ({place}).',
  'consent.returns_app': 'Vous reviendrez ensuite à une application sur cet appareil ({place}).',
  'consent.sign_in_why':
    'Connectez-vous avec le compte relié à {application}. Vous choisirez ensuite ce que {client} peut faire.',
  'consent.sign_in': 'Se connecter à votre compte',
  'consent.cancel': 'Annuler',
  'consent.as_administrator': 'J’administre {application}',
  'consent.administrator': 'Vous décidez en tant qu’administrateur ({name}).',
  'consent.administrator_sign_in': 'Connectez-vous d’abord au tableau de bord. Ouvrez ensuite cette page à nouveau.',
  'consent.dashboard': 'Ouvrir le tableau de bord',
  'consent.need_rights':
    'Vous ne pouvez pas décider : les administrateurs doivent pouvoir modifier l’application et voir les données des clients.',
  'consent.accounts': 'Quels comptes ?',
  'consent.search': 'Rechercher des comptes',
  'consent.no_accounts': 'Aucun compte trouvé.',
  'consent.rights': 'Que peut-il faire ?',
  'consent.careful': '(prudence)',
  'consent.ask': 'Demander avant de',
  'consent.ask_why': 'Quelqu’un doit approuver chacune de ces actions avant qu’elle ait lieu.',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',
  'consent.later': 'Vous pouvez le déconnecter à tout moment.',
  'consent.choose_account': 'Choisissez au moins un compte.',
  'consent.choose_right': 'Choisissez au moins un droit.',
  'consent.stop_title': 'La connexion est impossible',
  'consent.stop_advice':
    'Retournez au programme d’où vous venez et recommencez. Si cela ne suffit pas, prévenez ceux qui le gèrent.',
  'consent.no_application':
    'Cette adresse n’indique pas l’application, ou l’application n’autorise pas les agents. Demandez l’adresse de votre application à ceux qui gèrent le service.',
}
