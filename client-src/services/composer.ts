/** The message box of the conversation on screen: gets text put into it, after what a person wrote there. Sends nothing. */

interface Input {
  readonly state: { getSnapshot(): { readonly draft: string; readonly phase: string } }
  setDraft(text: string): void
}

/** The part of the app's services that this uses; each of them may be absent. */
export interface AppServices {
  get(name: string): unknown
}

interface Sessions {
  readonly list: { getSnapshot(): { readonly current?: string } }
  scope(id: string): unknown
}

/** @returns false when there is no box that takes it now */
export function compose(app: AppServices, text: string): boolean {
  const sessions = app.get('sessions') as Sessions | undefined
  const conversation = app.get('conversation') as { readonly input: { for(scope: unknown): Input } } | undefined
  const current = sessions?.list.getSnapshot().current
  if (sessions === undefined || conversation === undefined || current === undefined) return false
  try {
    const input = conversation.input.for(sessions.scope(current))
    const { draft, phase } = input.state.getSnapshot()
    if (phase !== 'plain') return false
    input.setDraft(draft.trim() === '' ? text : `${draft.trimEnd()}\n\n${text}`)
    return input.state.getSnapshot().draft.endsWith(text)
  } catch {
    // Another version of the app, or a conversation that is just going.
    return false
  }
}
