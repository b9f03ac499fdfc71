// Facts that several parts of one call need, each found out once.

export function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Once for each key. */
export function oncePer<K, T>(find: (key: K) => T): (key: K) => T {
  const found = new Map<K, T>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key) as T;
  };
}
