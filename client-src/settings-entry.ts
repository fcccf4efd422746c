/** Brings the settings card into the app: where it is shown, whose words it has, and how its saves reach the host. Assembly only. */
import { IconChevronDownOutline14 } from '@deepseek-ai/dsh-client-ui-primitives'
import type { ConnectionHandle } from '@deepseek-ai/dsh-client-connection/client'
import type {} from '@deepseek-ai/dsh-client-locale/client'
import type { ClientContext } from '@deepseek-ai/dsh-client-runtime/client'
import type {} from '@deepseek-ai/dsh-client-ui-settings/client'
import {
  RPC_CHANNEL,
  RPC_SETTING_FACTS,
  RPC_SETTING_WORDS,
  settingFactsReplySchema,
  settingWordsReplySchema,
} from '../protocol-src/http-routes.ts'
import type { SettingWord, en as words } from '../protocol-src/setting-words.ts'
import { SETTINGS_NAMESPACE, type SettingKey } from '../protocol-src/settings.ts'
import type { LinkState } from './connection/socket.ts'
import { NS } from './locales.ts'
import { SettingsSlot } from './panel/SettingsSlot.tsx'
import { PageScript, type PageScriptPorts } from './services/page-script.ts'
import type { Say } from './settings/say.ts'
import type { AskSettingFacts } from './settings/use-setting-facts.ts'
import type { SettingsModule, SettingsPart } from './settings/settings-script.tsx'
import type { Store } from './stores/store.ts'

/** Dictionary namespace of the settings card. */
const WORDS = 'tty-settings'

declare module '@deepseek-ai/dsh-client-ui-slots' {
  interface LocaleNamespaceMap {
    [WORDS]: SettingWord
  }
  interface SlotMap {
    /** Declared by the app's settings page, whose package has no types of its own to import. */
    'settings.plugin.item': { kind: 'keyed'; scope: 'root'; owner: { children?: never } }
  }
}

/**
 * The card in the app's settings, wherever the app has some and the host serves ours. Its words are asked for when the host
 * half is there, and again with the next connection when they did not come.
 */
export function contributeSettings(
  ctx: ClientContext,
  link: Store<LinkState>,
  { scripts, openList }: { scripts: PageScriptPorts; openList: (setting: SettingKey) => void },
): void {
  // The package declares the host's `connection` for both sides.
  const { api, rpc } = (ctx as unknown as { connection: ConnectionHandle }).connection
  ctx.inject(['settingsScope'], (scope) => {
    const abort = new AbortController()
    let isAsked = false
    const ask = async (): Promise<void> => {
      if (isAsked || link.getSnapshot().kind !== 'open') return
      isAsked = true
      try {
        const reply = await rpc.call(RPC_CHANNEL, RPC_SETTING_WORDS, {}, abort.signal)
        const parsed = settingWordsReplySchema.safeParse(reply.ok ? reply.value : undefined)
        isAsked = parsed.success
        if (parsed.success && !abort.signal.aborted) show(parsed.data as Record<'zh' | 'en', typeof words>)
      } catch {
        // Not now; the next connection asks again.
        isAsked = false
      }
    }
    const askFacts: AskSettingFacts = async () => {
      try {
        const reply = await rpc.call(RPC_CHANNEL, RPC_SETTING_FACTS, {}, abort.signal)
        return settingFactsReplySchema.safeParse(reply.ok ? reply.value : undefined).data ?? null
      } catch {
        return null
      }
    }
    scope.effect(() => {
      const stop = link.subscribe(() => void ask())
      void ask()
      return () => {
        stop()
        abort.abort()
      }
    }, 'dsh-tty: words of the settings')

    const mirror = scope.settingsScope.bind({ namespace: SETTINGS_NAMESPACE, decode: (section) => section })
    const settings = new PageScript<SettingsPart>(
      'settings',
      ({ startSettings }) =>
        (startSettings as SettingsModule['startSettings'])(
          {
            scope: mirror,
            mutate: async (request) => (await api.settings.mutate(request)).result,
            describe: async () => (await api.settings.describe({})).result,
            accept: (view) => {
              scope.settingsScope.describe().acceptView(view)
            },
          },
          { openList, askFacts, ChevronIcon: IconChevronDownOutline14 },
        ),
      scripts,
    )
    scope.effect(
      () => () => {
        const script = settings.state.getSnapshot()
        settings.dispose()
        if (script.kind === 'ready') script.module.dispose()
      },
      'dsh-tty: settings form',
    )

    function show(dictionaries: Record<'zh' | 'en', typeof words>): void {
      scope.effect(() => scope.locale.register(WORDS, dictionaries), 'dsh-tty: dictionaries of the settings')
      scope.slots.inject('settings.plugin.item', () =>
        scope.slots.register(
          {
            name: 'settings.plugin.item',
            key: SETTINGS_NAMESPACE,
            locale: WORDS,
            inject: () => ({ title: (t: Say) => t('title'), say: scope.locale.bind(NS), settings }),
          },
          SettingsSlot<Say>,
        ),
      )
    }
  })
}
