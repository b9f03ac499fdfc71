// JSON whose text does not depend on the order of keys, for comparing.

export const canonical = (value: unknown, without: readonly string[] = []): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([key]) => !without.includes(key))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
