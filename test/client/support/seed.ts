// The state of a client that has been used before: no onboarding, no trust dialog, no question about the key.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const API_KEY = "sk-ant-not-a-key-the-model-is-a-mock-on-loopback";

export function seedConfig(configDir: string, project: string, settings: object) {
  mkdirSync(configDir, { recursive: true });
  writeFileSync(join(configDir, "settings.json"), JSON.stringify(settings));
  writeFileSync(join(configDir, ".claude.json"), JSON.stringify(usedBefore(project)));
}

const usedBefore = (project: string) => ({
  hasCompletedOnboarding: true,
  lastOnboardingVersion: "9.9.9",
  numStartups: 5,
  theme: "dark",
  autoUpdates: false,
  bypassPermissionsModeAccepted: true,
  hasSeenTasksHint: true,
  hasSeenAutoDefaultNudge: true,
  hasSeenAutoModeEntryWarning: true,
  customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
  projects: {
    [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
  },
});
