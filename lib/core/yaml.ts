// The YAML library, in a part of its own: few calls meet a file with frontmatter.
import { FAILSAFE_SCHEMA, load } from "js-yaml";

export const parseYaml = (text: string): unknown => load(text, { schema: FAILSAFE_SCHEMA });
