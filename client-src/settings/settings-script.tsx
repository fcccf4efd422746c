/**
 * The settings card's own script, lib/settings.js: the form, what it holds, and how it reaches the host. The rest of the
 * client takes types from this room and nothing else. Assembly only.
 */
import type { ReactNode } from 'react'
import { followSettings, type SettingsPorts } from '../services/settings-host.ts'
import { useStore } from '../panel/use-store.ts'
import { SettingsDraft } from '../stores/settings-draft.ts'
import type { Say } from './say.ts'
import { SettingsCard, type SettingsCardProps } from './SettingsCard.tsx'

/** A form at work: it keeps what was typed until it is disposed, whether it is on screen or not. */
export interface SettingsPart {
  readonly Card: (props: { t: Say }) => ReactNode
  dispose(): void
}

export interface SettingsModule {
  readonly startSettings: <View extends { readonly ns: string }>(
    ports: SettingsPorts<View>,
    given: Pick<SettingsCardProps, 'openList' | 'askFacts' | 'ChevronIcon'>,
  ) => SettingsPart
}

export const startSettings: SettingsModule['startSettings'] = (ports, given) => {
  const { host, stop } = followSettings(ports)
  const draft = new SettingsDraft(host)
  const useForm: SettingsCardProps['useForm'] = (select) => select(useStore(draft))
  return {
    Card: ({ t }) => <SettingsCard t={t} useForm={useForm} actions={draft} {...given} />,
    dispose: () => {
      draft.dispose()
      stop()
    },
  }
}
