// The build puts this in the place of the real one: the shell parser makes itself a decoder as soon as it is loaded, and only a
// command with bytes in `$'\x…'` ever uses it.

export function TextDecoder(...given: ConstructorParameters<typeof globalThis.TextDecoder>) {
  return { decode: (bytes: Uint8Array) => new globalThis.TextDecoder(...given).decode(bytes) };
}
