/** The connection book, host keys and questions, as the host says of them and is asked about them. Keeps no secret. */
import type { Book, ReplyOf } from '../../protocol-src/host-frames.ts'
import type { Answer, Question } from '../../protocol-src/question.ts'
import type { ImportChoice, ImportPreview } from '../../protocol-src/ssh-import.ts'
import type { EntryDraft, HostKeyRecord, HostRef } from '../../protocol-src/ssh.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'
import type { HostLink, SideFrame } from '../connection/host-link.ts'

/** Something that the host waits for. */
export interface Asked {
  readonly ask: number
  readonly question: Question
}

export type TestReport = ReplyOf<'testConnection'>

export class SshLink {
  /** Null until the host said what is in it. */
  readonly book: Store<Book | null>
  /** In the order in which they came. */
  readonly questions: Store<readonly Asked[]>
  readonly #book = createStore<Book | null>(null)
  readonly #questions = createStore<readonly Asked[]>([])
  readonly #link: HostLink
  readonly #stop: readonly Unsubscribe[]
  #isOpen = false
  #lastTest = 0

  /** @param heard frames that came before this was there */
  constructor(link: HostLink, heard: readonly SideFrame[]) {
    this.#link = link
    this.book = this.#book
    this.questions = this.#questions
    this.#stop = [
      link.listen((frame) => {
        this.#heard(frame)
      }),
      link.link.subscribe(() => {
        this.#linkChanged()
      }),
    ]
    for (const frame of heard) this.#heard(frame)
    this.#linkChanged()
  }

  dispose(): void {
    for (const stop of this.#stop) stop()
  }

  /** @param replaces the entry that this one takes the place of */
  async save(draft: EntryDraft, replaces: string | null): Promise<void> {
    await this.#link.tell({ type: 'saveHost', draft, replaces })
  }

  async remove(name: string): Promise<void> {
    await this.#link.tell({ type: 'removeHost', name })
  }

  /** Try to log in. The test ends when `cancel` is called; its result then says so. */
  test(host: HostRef): { readonly report: Promise<TestReport>; readonly cancel: () => void } {
    this.#lastTest += 1
    const test = this.#lastTest
    return {
      report: this.#link.ask('testConnection', { type: 'testConnection', test, host }),
      cancel: () => {
        // Gone with the link, or over already: then there is nothing to end.
        this.#link.tell({ type: 'cancelTest', test }).catch(() => {})
      },
    }
  }

  async hostKeys(): Promise<readonly HostKeyRecord[]> {
    return (await this.#link.ask('hostKeys', { type: 'hostKeys' })).records
  }

  /** @returns those that are left */
  async forgetHostKey(
    { host, port }: Pick<HostKeyRecord, 'host' | 'port'>,
    fingerprint: string | null,
  ): Promise<readonly HostKeyRecord[]> {
    return (await this.#link.ask('forgetHostKey', { type: 'forgetHostKey', host, port, fingerprint })).records
  }

  readFiles(): Promise<ImportPreview> {
    return this.#link.ask('readSshFiles', { type: 'readSshFiles' })
  }

  async takeOver(choice: ImportChoice): Promise<void> {
    await this.#link.tell({ type: 'importSsh', choice })
  }

  /** Say what the person said. The question is gone here at once, whatever becomes of the answer. */
  async answer(ask: number, answer: Answer): Promise<void> {
    this.#drop(ask)
    await this.#link.tell({ type: 'answer', ask, answer })
  }

  #heard(frame: SideFrame): void {
    switch (frame.type) {
      case 'bookChanged':
        this.#book.set(frame.book)
        return
      case 'ask': {
        const others = this.#questions.getSnapshot().filter(({ ask }) => ask !== frame.ask)
        this.#questions.set([...others, { ask: frame.ask, question: frame.question }])
        return
      }
      case 'askEnded':
        this.#drop(frame.ask)
    }
  }

  #drop(ended: number): void {
    this.#questions.set(this.#questions.getSnapshot().filter(({ ask }) => ask !== ended))
  }

  #linkChanged(): void {
    const isOpen = this.#link.link.getSnapshot().kind === 'open'
    if (isOpen === this.#isOpen) return
    this.#isOpen = isOpen
    if (!isOpen) {
      // Those that still wait come again with the next connection.
      this.#questions.set([])
      return
    }
    this.#link.ask('book', { type: 'book' }).then(
      (book) => {
        this.#book.set(book)
      },
      () => {}, // the connection is gone again; the next one asks
    )
  }
}
