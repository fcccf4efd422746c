/** The dialogs that are open, one over the other, and over them what the host asks. */
import type { SshModel } from './ssh-model.ts'
import { BookDialog } from './BookDialog.tsx'
import { EntryDialog } from './EntryDialog.tsx'
import { HostKeysDialog } from './HostKeysDialog.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { HostKeyDialog, PromptsDialog } from './QuestionDialog.tsx'
import type { SshProps } from './ssh-props.ts'

export function SshDialogs({ model, ...props }: SshProps & { model: SshModel }) {
  return (
    <>
      {model.dialogs.map((dialog, at) => (
        // Those below stay as they are: what was typed into them is there when they come back.
        <OneDialog key={String(at)} {...props} model={model} dialog={dialog} />
      ))}
      <Questions {...props} model={model} />
    </>
  )
}

function OneDialog({ model, dialog, ...props }: SshProps & { model: SshModel; dialog: SshModel['dialogs'][number] }) {
  const { book } = model
  switch (dialog.kind) {
    case 'entry':
      return book === null ? null : <EntryDialog {...props} book={book} name={dialog.name} />
    case 'book':
      return book === null ? null : <BookDialog {...props} book={book} />
    case 'host-keys':
      return <HostKeysDialog {...props} />
    case 'import':
      return <ImportDialog {...props} />
  }
}

/** One at a time, in the order in which they came. */
function Questions({ kit, t, requests, model }: SshProps & { model: SshModel }) {
  const [asked] = model.questions
  if (asked === undefined) return null
  const { ask, question } = asked
  const onAnswer: Parameters<typeof HostKeyDialog>[0]['onAnswer'] = (answer) => {
    requests.answer(ask, answer).catch(() => {}) // whoever waited for it says what became of it
  }
  return question.kind === 'host-key' ? (
    <HostKeyDialog key={ask} kit={kit} t={t} question={question} onAnswer={onAnswer} />
  ) : (
    <PromptsDialog key={ask} kit={kit} t={t} question={question} onAnswer={onAnswer} />
  )
}
