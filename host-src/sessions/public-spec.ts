/** What may be told of how a session was started: to clients and to the journal. */
import type { LaunchSpec } from '../../protocol-src/session.ts'
import { withoutSecrets } from '../../protocol-src/ssh.ts'

/** Without passwords and passphrases: who starts the same again is asked for them again. */
export function publicSpec(spec: LaunchSpec): LaunchSpec {
  if (spec.kind === 'local' || !('connection' in spec.host)) return spec
  return { ...spec, host: { ...spec.host, connection: withoutSecrets(spec.host.connection) } }
}
