/** Goes the way to a machine once and says how each step went. Starts no session and records nothing. */
import type { PhaseReport } from '../../../protocol-src/question.ts'
import type { HostRef } from '../../../protocol-src/ssh.ts'
import type { TtyError } from '../../base/errors.ts'
import { toTtyError } from '../../base/errors.ts'
import { SshConnector, targetOf } from './connector.ts'
import type { Audience } from './person.ts'
import type { SshPorts } from './ssh-ports.ts'

export interface TestResult {
  readonly phases: readonly PhaseReport[]
  /** Null when the login succeeded. */
  readonly error: TtyError | null
}

/** Never rejects. */
export async function testConnection(
  host: HostRef,
  ports: SshPorts,
  { audience, signal }: { audience: Audience; signal: AbortSignal },
): Promise<TestResult> {
  const phases: PhaseReport[] = []
  try {
    const target = targetOf(host, ports)
    const link = await new SshConnector(ports).connect(target, {
      audience,
      signal,
      isDraft: true,
      ended: (report) => {
        phases.push(report)
      },
    })
    link.close()
    return { phases, error: null }
  } catch (error) {
    return { phases, error: toTtyError(error) }
  }
}
