// The YAML library, in a part of its own: few calls meet a file with frontmatter.
export { FAILSAFE_SCHEMA, load } from "js-yaml";
