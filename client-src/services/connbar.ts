/** The buttons that plugins add to the bar of an SSH tab: keeps who adds, and asks them with every drawing. */
import type { AddConnbarAction, ConnbarContext, TtyConnbarService } from './plugin-contract.ts'
import { CONNBAR_VERSION } from './plugin-contract.ts'
import { createStore, type Store } from '../stores/store.ts'
import { functionOf } from './guest-input.ts'

export interface ConnbarAction {
  readonly icon: unknown
  readonly label: string
  readonly title: string
  /** Never throws. */
  readonly onClick: () => void
}

/** Tells a developer of what another plugin's code threw. */
export type ReportGuest = (where: string, error: unknown) => void

type Factory = (bar: ConnbarContext) => void

export class Connbar implements TtyConnbarService {
  readonly version = CONNBAR_VERSION
  /** Grows with everything that calls for another drawing. */
  readonly revision: Store<number>
  readonly #revision = createStore(0)
  readonly #factories = new Set<{ readonly add: Factory }>()
  readonly #report: ReportGuest

  constructor(report: ReportGuest) {
    this.revision = this.#revision
    this.#report = report
  }

  addAction = (factory: Factory): (() => void) => {
    // An entry of its own: the same function may be added twice and taken off once.
    const entry = { add: functionOf('ttyConnbar.addAction', factory) }
    this.#factories.add(entry)
    this.requestRender()
    return () => {
      if (this.#factories.delete(entry)) this.requestRender()
    }
  }

  requestRender = (): void => {
    this.#revision.set(this.#revision.getSnapshot() + 1)
  }

  /** What is on the bar of a tab, in the order in which it was added. A factory that throws adds nothing. */
  actionsFor(bar: Omit<ConnbarContext, 'addAction'>): readonly ConnbarAction[] {
    return [...this.#factories].flatMap(({ add }) => {
      const added: ConnbarAction[] = []
      const addAction: AddConnbarAction = (...[icon, label, title, onClick]) => {
        added.push({
          icon,
          label: String(label),
          title: String(title),
          onClick: () => {
            this.#guard('a connection bar button', onClick)
          },
        })
      }
      return this.#guard('a connection bar factory', () => {
        add({ ...bar, addAction })
      })
        ? added
        : []
    })
  }

  #guard(where: string, call: () => void): boolean {
    try {
      call()
      return true
    } catch (error) {
      this.#report(where, error)
      return false
    }
  }
}
