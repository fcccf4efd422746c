/** Gives the service `tty` to the other plugins of the host for as long as ours is loaded. */
import type { Context } from '@deepseek-ai/cordis'
import { messageOf } from '../base/errors.ts'
import { PluginTerminals } from '../services/tty-service.ts'
import type { TtyToolCall } from '../services/tty-contract.ts'
import { passGate } from '../tools/tool-gate.ts'
import type { ToolPorts } from './tool-adapter.ts'
import { askUser, callerOf, tierOf, type HostCall } from './tool-ports.ts'

export const SERVICE_NAME = 'tty'

export function provideService(ctx: Context, { registry, settings, logger }: ToolPorts): void {
  const service = new PluginTerminals({
    registry,
    settings,
    logger,
    gate: (action, request, call) =>
      passGate(action, request, {
        tier: tierOf(ctx, agentOf(call)),
        settings: settings(),
        ask: (reason) => (call === undefined ? Promise.resolve('unavailable') : askUser(ctx, call as HostCall, reason)),
      }),
    directoryOf: (call) => callerOf(ctx, agentOf(call)).cwd,
  })
  ctx.effect(
    () => () => {
      service.dispose()
    },
    'tty: service for other plugins',
  )
  try {
    ctx.provide(SERVICE_NAME, service)
  } catch (error) {
    // Another plugin has taken the name: the terminals work without.
    logger.error('service.not-provided', { message: messageOf(error) })
  }
}

function agentOf(call: TtyToolCall | undefined): Pick<HostCall, 'agent'> {
  return call === undefined ? {} : (call as HostCall)
}
