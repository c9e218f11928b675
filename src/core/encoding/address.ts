// Sui addresses, of packages and objects. `0x2` and its 64-digit form are the same address, so compare the full forms.

/** `0x` and 64 lower-case hex digits; undefined if the text is not an address. */
export function fullAddress(text: string): string | undefined {
  const digits = /^0x([0-9a-fA-F]{1,64})$/.exec(text)?.[1];
  return digits && `0x${digits.toLowerCase().padStart(64, "0")}`;
}

export function isSameAddress(left: string, right: string): boolean {
  const address = fullAddress(left);
  return address !== undefined && address === fullAddress(right);
}
