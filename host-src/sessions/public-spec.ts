/** What may be told of how a session was started: to clients and to the journal. */
import type { LaunchSpec } from '../../protocol-src/session.ts'
import { isSameAccount, withoutSecrets } from '../../protocol-src/ssh.ts'

/** Without passwords and passphrases: who starts the same again is asked for them again. */
export function publicSpec(spec: LaunchSpec): LaunchSpec {
  if (spec.kind === 'local' || !('connection' in spec.host)) return spec
  return { ...spec, host: { ...spec.host, connection: withoutSecrets(spec.host.connection) } }
}

/**
 * What was left out of a spec that a client was told, when the client sends it back to run the same again. A secret belongs to
 * one account of one machine.
 */
export function withSecretsOf(spec: LaunchSpec, before: LaunchSpec | undefined): LaunchSpec {
  if (spec.kind === 'local' || before?.kind !== 'ssh') return spec
  if (!('connection' in spec.host) || !('connection' in before.host)) return spec
  const [now, then] = [spec.host.connection, before.host.connection]
  if (!isSameAccount(now, then)) return spec
  const { password = then.password, passphrase = then.passphrase } = now
  const secrets = {
    ...(password === undefined ? {} : { password }),
    ...(passphrase === undefined ? {} : { passphrase }),
  }
  return { ...spec, host: { ...spec.host, connection: { ...now, ...secrets } } }
}
