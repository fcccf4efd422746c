/** On whose behalf a call runs. */
export interface Caller {
  readonly agentId: string
  /** The agents that delegated to it, nearest first. */
  readonly ancestors: readonly string[]
  /** Where that agent works, when it works somewhere. */
  readonly cwd: string | null
}
