/** Puts what agents are told of the terminals into the host's prompts. Text is made elsewhere; here it only gets its place. */
import type { Context } from '@deepseek-ai/cordis'
import { messageOf } from '../base/errors.ts'
import { guidance, terminalSummary } from '../tools/terminal-summary.ts'
import type { ToolPorts } from './tool-adapter.ts'
import { callerOf, type HostAgent } from './tool-ports.ts'

interface SystemPrompt {
  section(section: { name: string; order: number; text: string }): unknown
  context(context: { name: string; order: number; text: (assembly: { agent?: HostAgent }) => string }): unknown
}

/** Guidance of tools is 100 to 199 by the host's convention. */
const ORDER = 150

/** @param shell path of the shell in force when the plugin starts */
export function registerGuidance(ctx: Context, ports: ToolPorts, shell: string): void {
  ctx.inject(['systemPrompt'], (scope) => {
    const prompt = (scope as unknown as { systemPrompt: SystemPrompt }).systemPrompt
    prompt.section({ name: 'tool:tty', order: ORDER, text: guidance(shell) })
    prompt.context({
      name: 'tty:live',
      order: ORDER,
      text: ({ agent }) => {
        try {
          const call = agent === undefined ? {} : { agent }
          return terminalSummary({ ...ports, caller: callerOf(ctx, call) })
        } catch (error) {
          // A turn must not fail because of a picture of the terminals.
          ports.logger.error('guidance.failed', { message: messageOf(error) })
          return ''
        }
      },
    })
  })
}
