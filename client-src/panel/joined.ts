/** Class names of several sheets on one element. */
export const joined = (...names: readonly (string | undefined)[]): string => names.filter(Boolean).join(' ')
