/** Connections to other hosts, and which of them the service may reach. */

import type { AddressMode } from '@waypost/platform/egress/addresses'
import { readAllowList } from '@waypost/platform/egress/allow'
import { findMailExchangers, findService } from '@waypost/platform/egress/dns'
import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import { type Exposure, openExposure } from '../applications/exposure.ts'
import type { Config } from '../config.ts'
import type { Given, Lookups } from './build-options.ts'
import type { Storage } from './storage.ts'

export interface Network extends Lookups {
  egress: Egress
  /** Whether clients on other machines reach the service. */
  exposure: Exposure
  /** Which addresses connections may go to now. */
  addressMode(): AddressMode
}

/** Outgoing connections, to the hosts that the operator allows. */
const openEgress = ({ egressAllow }: Config, mode: () => AddressMode): Egress =>
  createEgress({ mode, allow: egressAllow && readAllowList(egressAllow), trustLoopback: true })

export async function openNetwork(
  stack: AsyncDisposableStack,
  { config, overrides }: Given,
  { database, log }: Storage,
): Promise<Network> {
  const exposure = await openExposure({ queries: database, log, loopbackOnly: config.loopbackOnly })
  const addressMode = (): AddressMode => config.egress ?? (exposure.isExposed ? 'public' : 'private')
  return {
    exposure,
    addressMode,
    egress: stack.use(overrides.egress ?? openEgress(config, addressMode)),
    openPublicEgress: overrides.openPublicEgress ?? (() => openEgress(config, () => 'public')),
    findMailExchangers: overrides.findMailExchangers ?? findMailExchangers,
    findService: overrides.findService ?? findService,
  }
}

/** Whether providers can post to this service: real providers need TLS, a simulator on this machine does not. */
export const isReachable = (baseUrl: string, mode: AddressMode): boolean =>
  baseUrl.startsWith('https://') || mode === 'private'
