// Writes by the shell, in every form that is understood.
import { expect, test } from "vitest";
import { aRepository } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { FILES, said } from "./collisions.ts";

/** Each on a file of its own, `%F`, with a patch for it, `%P`. */
const SHELL_WRITES = [
  "echo x > %F",
  "echo x >> ./%F",
  "sed -i s/a/b/ %F",
  "sed -i s/a/b/ %F*",
  "printf x | tee %F",
  "printf x | tee -a %F >/dev/null",
  "cat <<'EOF' > %F\nx\nEOF",
  "git apply <<'EOF'\n--- a/%F\n+++ b/%F\n@@ -1 +1 @@\n-a\n+z\nEOF",
  "git apply %P",
  "git apply < %P",
  "cat %P | git apply",
  "patch -p1 < %P",
  "patch -p1 -i %P",
  "cp a.ts %F",
  "cp a.ts x.tmp && mv x.tmp %F",
  "rm %F",
  "rm -rf %F",
  "cd src && echo x > ../%F",
  "python3 -c \"open('%F','w').write('x')\"",
  "node -e \"require('fs').writeFileSync('%F', 'x')\"",
  "perl -pi -e s/a/b/ %F",
  "truncate -s 0 %F",
  "bash -c 'echo x > %F'",
  "dd if=a.ts of=%F",
  "for f in %F; do echo x > $f; done",
  "(cd src; echo x > ../%F)",
  "git mv %F %G",
  "git rm %F",
];

test("a shell write by one is seen by the next that writes there", () => {
  const names = SHELL_WRITES.map((_, n) => `f${n}é.ts`);
  const repository = aRepository({ ...FILES, ...Object.fromEntries(names.map((name) => [name, "a\n"])) });
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  bob.edit("other.ts");
  const missed = SHELL_WRITES.filter((command, n) => {
    const name = names[n] ?? "";
    repository.put("p.patch", `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+z\n`);
    const spelled = command.replaceAll("%F", name).replaceAll("%G", `g${n}`).replaceAll("%P", "p.patch");
    ada.sh(spelled);
    return !said(bob.ask(`echo y > ${name}`)).includes(`ada changed ${name}`);
  });
  expect(missed).toEqual([]);
}, 60_000);
