/** A command was run where there is no installation. The message names the place that was checked. */
export class NoInstallation extends Error {
  readonly remedy =
    'run the command with the settings of the service (WAYPOST_DATA_DIR or DATABASE_URL, or in the folder in which it was started). "waypost serve" creates a new installation'

  constructor(where: string) {
    super(`there is no installation here (${where})`)
  }
}
