/** Once per run of a project that boots the real host: the host installed, lib/ built from the present sources. */
import { build } from '../../scripts/build.ts'
import { ensureDshHost } from '../../scripts/dsh-host.ts'

export const setup = async (): Promise<void> => {
  await ensureDshHost()
  await build()
}
