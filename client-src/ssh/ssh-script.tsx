/**
 * The script lib/ssh.js: everything about terminals on other machines that a page can do without until it has one. The rest of
 * the client takes types from this room and nothing else. Assembly only.
 */
import { wireErrorSchema } from '../../protocol-src/errors.ts'
import type { HostRef } from '../../protocol-src/ssh.ts'
import type { HostLink, SideFrame } from '../connection/host-link.ts'
import { LinkError, toLinkError } from '../connection/link-error.ts'
import { errorMessage, say, type Translate } from '../locales.ts'
import type { Kit } from '../panel/kit.ts'
import type { SshModule } from '../panel/SshSlot.tsx'
import { useStore } from '../panel/use-store.ts'
import type { Connbar } from '../services/connbar.ts'
import type { PlusSection } from '../stores/plus-sections.ts'
import type { Store } from '../stores/store.ts'
import type { TabKey } from '../stores/tab-store.ts'
import { bookSection } from './book-section.ts'
import { ConnectionBar } from './ConnectionBar.tsx'
import { SshDialogs } from './SshDialogs.tsx'
import { SshLink } from './ssh-link.ts'
import type { SshDialog } from './ssh-model.ts'
import { SshStore } from './ssh-store.ts'
import type { SaySsh } from './words.ts'

export * as dialogWords from './words.ts'
export * as panelWords from '../words/ssh.ts'

export interface SshStart {
  readonly link: HostLink
  /** What the host said before this script was there. */
  readonly heard: readonly SideFrame[]
  readonly kit: Kit
  /** In the words of the panel, and in those of the dialogs. */
  readonly say: Translate
  readonly saySsh: SaySsh
  readonly connbar: Connbar
  /** Open a terminal there. */
  readonly connect: (host: HostRef) => void
  /** Connect again in the same tab. */
  readonly reconnect: (tab: TabKey) => void
}

export interface SshPart extends SshModule {
  /** What "+" offers. */
  readonly section: Store<PlusSection>
  readonly show: (dialog: SshDialog) => void
  readonly dispose: () => void
}

export function startSsh({ link, heard, kit, say: words, saySsh, connbar, connect, reconnect }: SshStart): SshPart {
  const requests = new SshLink(link, heard)
  const store = new SshStore(requests)
  const show = (dialog: SshDialog): void => {
    store.show(dialog)
  }
  const { section, dispose } = bookSection(requests.book, {
    connect,
    edit: (name) => {
      show({ kind: 'entry', name })
    },
  })
  // The built-in buttons take the way of everybody's.
  const removeButtons = connbar.addAction(({ tab, bookName, addAction }) => {
    addAction('↻', words('conn.reconnect'), words('conn.reconnect.title'), () => {
      reconnect(tab.key as TabKey)
    })
    if (bookName === null) return
    addAction('✎', words('conn.edit'), words('conn.edit.title'), () => {
      show({ kind: 'entry', name: bookName })
    })
  })
  return {
    Bar: ({ t, connection }) => <ConnectionBar t={t} connection={connection} connbar={connbar} />,
    Dialogs: ({ t }) => (
      <SshDialogs
        kit={kit}
        t={saySsh}
        sayError={(error) => say(t, errorMessage(toError(error)))}
        requests={requests}
        model={useStore(store)}
        onShow={show}
        onClose={() => {
          store.close()
        }}
        onConnect={(host) => {
          store.closeAll()
          connect(host)
        }}
      />
    ),
    section,
    show,
    dispose: () => {
      removeButtons()
      dispose()
      store.dispose()
      requests.dispose()
    },
  }
}

/** A test answers with an error as a value. */
function toError(error: unknown): LinkError {
  const wire = error instanceof Error ? undefined : wireErrorSchema.safeParse(error).data
  return wire === undefined ? toLinkError(error) : LinkError.fromWire(wire)
}
