import type { ConsentTexts } from './consent-texts.ts'

export const consentEs: ConsentTexts = {
  'consent.title': 'Conectar {client} con {application}',
  'consent.unverified':
    'Sin verificar: cualquiera puede usar este nombre. Continúe solo si usted mismo ha iniciado esto.',
  'consent.verified': 'Publicado por {host}',
  'consent.returns_site': 'Después volverá a {place}.',
  'consent.returns_device': 'Después volverá a un programa de este dispositivo ({place}).',
  'consent.returns_app': 'Después volverá a una aplicación de este dispositivo ({place}).',
  'consent.sign_in_why':
    'Inicie sesión con la cuenta conectada a {application}. Después elegirá qué puede hacer {client}.',
  'consent.sign_in': 'Iniciar sesión en su cuenta',
  'consent.cancel': 'Cancelar',
  'consent.as_administrator': 'Administro {application}',
  'consent.administrator': 'Usted decide como administrador ({name}).',
  'consent.administrator_sign_in': 'Inicie sesión primero en el panel. Después abra de nuevo esta página.',
  'consent.dashboard': 'Abrir el panel',
  'consent.need_rights':
    'No puede decidir esto: los administradores necesitan permiso para cambiar la aplicación y ver datos de clientes.',
  'consent.accounts': '¿Qué cuentas?',
  'consent.search': 'Buscar cuentas',
  'consent.no_accounts': 'No se encontró ninguna cuenta.',
  'consent.rights': '¿Qué puede hacer?',
  'consent.careful': '(con cuidado)',
  'consent.ask': 'Preguntar antes de',
  'consent.ask_why': 'Alguien debe aprobar cada una de estas acciones antes de que ocurra.',
  'consent.allow': 'Permitir',
  'consent.deny': 'Denegar',
  'consent.later': 'Puede desconectarlo en cualquier momento.',
  'consent.choose_account': 'Elija al menos una cuenta.',
  'consent.choose_right': 'Elija al menos un permiso.',
  'consent.stop_title': 'No se puede establecer la conexión',
  'consent.stop_advice':
    'Vuelva al programa del que viene y empiece de nuevo. Si no funciona, avise a quienes lo gestionan.',
  'consent.no_application':
    'Esta dirección no indica la aplicación, o la aplicación no permite agentes. Pida la dirección de su aplicación a quienes gestionan el servicio.',
}
