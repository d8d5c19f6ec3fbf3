import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Arimo (SIL Open Font License), so that a PNG has its text on a machine without fonts, and the same on every machine. */
export function pictureFonts(): string[] {
  return [
    require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
    require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'),
  ]
}
