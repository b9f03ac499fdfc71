// A generated table inside a hand-written page stands between two comments that bear its name.

export const withBlock = (page: string, name: string, text: string): string =>
  page.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`),
    (_, open, close) => `${open}${text}${close}`,
  );
