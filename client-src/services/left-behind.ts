/** Sessions that go on by themselves and have no tab on this page, as a section of the "+" menu. */
import type { SessionId } from '../../protocol-src/ids.ts'
import type { SessionDescriptor } from '../../protocol-src/session.ts'
import type { PlusItem, PlusSection } from '../stores/plus-sections.ts'
import type { Store } from '../stores/store.ts'
import type { TabsState } from '../stores/tab-store.ts'

export interface LeftBehindPorts {
  readonly sessions: Store<readonly SessionDescriptor[] | null>
  readonly tabs: Store<TabsState>
  readonly show: (sid: SessionId) => void
  readonly end: (sid: SessionId) => void
}

/** It runs, and nobody is there. */
export function isLeftBehind({ persist, orphanedAt, phase }: SessionDescriptor): boolean {
  return persist !== null && orphanedAt !== null && phase === 'running'
}

export function leftBehindSection(ports: LeftBehindPorts): Store<PlusSection> {
  let [sessions, tabs] = [ports.sessions.getSnapshot(), ports.tabs.getSnapshot()]
  let section = sectionOf(ports)
  return {
    getSnapshot: () => {
      const [now, shown] = [ports.sessions.getSnapshot(), ports.tabs.getSnapshot()]
      if (now !== sessions || shown !== tabs) [sessions, tabs, section] = [now, shown, sectionOf(ports)]
      return section
    },
    subscribe: (listener) => {
      const unsubscribes = [ports.sessions.subscribe(listener), ports.tabs.subscribe(listener)]
      return () => {
        for (const unsubscribe of unsubscribes) unsubscribe()
      }
    },
  }
}

function sectionOf({ sessions, tabs, show, end }: LeftBehindPorts): PlusSection {
  const shown = new Set(tabs.getSnapshot().tabs.map(({ sid }) => sid))
  const left = (sessions.getSnapshot() ?? []).filter((each) => isLeftBehind(each) && !shown.has(each.id))
  const items = left.map((each): PlusItem => {
    const { id, title, target, persist, startedAt, cwd } = each
    // A name that the host made says nothing to a person.
    const name = title ?? (persist === null || persist.endsWith(id) ? target : persist)
    return {
      key: id,
      label: cwd === null ? name : `${name} · ${cwd}`,
      hint: new Date(startedAt).toLocaleString(),
      onSelect: () => {
        show(id)
      },
      actions: [
        {
          key: 'end',
          label: { key: 'plus.end' },
          icon: 'remove',
          isStaying: true,
          onSelect: () => {
            end(id)
          },
        },
      ],
    }
  })
  return { id: 'left-behind', title: { key: 'plus.leftBehind' }, items }
}
