/** What to start for one more terminal of the same kind: a shell where that one is now, a command once more. Pure. */
import type { LaunchSpec } from '../../protocol-src/session.ts'

/** @param cwd where the session is now, as far as known */
export function duplicateSpec(spec: LaunchSpec, cwd: string | null): LaunchSpec {
  const { persist, ...same } = spec
  return {
    ...same,
    ...(spec.command === undefined && cwd !== null ? { cwd } : {}),
    // A name belongs to one session; whether the other is kept, the setting says.
    ...(persist === false ? { persist } : {}),
  }
}
