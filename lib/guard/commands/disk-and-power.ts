// The machine itself: disks, power, users and the kernel.
import type { RuleId } from "../rules.ts";
import { has, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { hasUnknown, report, type Shell } from "../shell/state.ts";

const asksOnly = (args: readonly string[]) => args.some((arg) => /^(--help|--version|-V)$/.test(arg));
const isDevice = (arg: string) => arg.startsWith("/dev/") || hasUnknown(arg);

/** Formatting or partitioning an image file is harmless; a device, an unknown target or none named is not. */
const isAboutImage = (operands: readonly string[]) =>
  operands.some((arg) => /\.(img|iso|raw|qcow2|dmg|ext[234]|fs|bin|disk)$/.test(arg)) &&
  !operands.some(isDevice);

const mkfs: Handler = (args, shell) => {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (!asksOnly(args) && operands.length && !isAboutImage(operands)) report(shell, "disk");
  return "";
};

const always =
  (rule: RuleId): Handler =>
  (args, shell) => {
    if (!asksOnly(args)) report(shell, rule);
    return "";
  };

/** Partition tools are fine while they only list. */
const partitions: Handler = (args, shell, name) => {
  const looking =
    name === "sgdisk"
      ? /^(-p|--print|-v|--verify|-i\d*|--info=\d+|-O|--print-mbr|-P|--pretend)$/
      : name === "parted"
        ? /^(-l|--list|print|-v)$/
        : /^(-l|--list|-p|--print|-d|--dump|-v|--verify|-n|--no-act|--dry-run|-s|--show-size)$/;
  const looks = args.some((arg) => looking.test(arg));
  if (isAboutImage(args)) return "";
  if (!asksOnly(args) && (!looks || /(^| )(mklabel|mkpart|rm|-o|-Z|--zap-all)( |$)/.test(args.join(" "))))
    report(shell, "disk");
  return "";
};

/** Tools with many verbs, of which some destroy. */
const verbs =
  (pattern: RegExp, rule: RuleId): Handler =>
  (args, shell) => {
    if (pattern.test(args.join(" ")) && !asksOnly(args)) report(shell, rule);
    return undefined;
  };

const wipefs: Handler = (args, shell) => {
  const options = readOptions(args, { short: "ot", long: ["offset", "types"] });
  if (has(options, "-a", "--all", "-o", "--offset") && !has(options, "-n", "--no-act")) report(shell, "disk");
  return "";
};

const shutdown: Handler = (args, shell) => {
  if (!asksOnly(args) && !args.includes("-c") && !args.includes("--show")) report(shell, "power");
  return "";
};

const POWER_VERB =
  /^(poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|exit|default)$/;

const systemctl: Handler = (args, shell) => {
  const { operands } = readOptions(args, { short: "HMtpnso", long: ["host", "machine", "type", "property"] });
  const [verb = "", target = ""] = operands;
  if (
    POWER_VERB.test(verb) ||
    ((verb === "isolate" || verb === "start") &&
      /^(poweroff|reboot|halt|rescue|emergency|shutdown)\.target$/.test(target))
  )
    report(shell, "power");
  return undefined;
};

const init: Handler = (args, shell) => {
  if (/^[016]$/.test(args[0] ?? "")) report(shell, "power");
  return "";
};

const crontab: Handler = (args, shell) => {
  if (args.length === 0 || args.includes("-")) runSchedule(shell.stdin, shell);
  return undefined;
};

/** Each line of a crontab is five fields and a command. */
function runSchedule(text: string, shell: Shell): void {
  for (const line of text.split("\n")) shell.run.code(line.replace(/^\s*(@\w+|(\S+\s+){5})/, ""), shell);
}

const umount: Handler = (args, shell) => {
  if (args.some((arg) => /^(-a|--all|\/|-A)$/.test(arg))) report(shell, "disk");
  return "";
};

export const DISK_AND_POWER = programs([
  ["mkfs mke2fs mkswap newfs mkdosfs mkntfs", mkfs],
  ["fdisk sfdisk cfdisk gdisk sgdisk parted", partitions],
  ["blkdiscard lvremove vgremove pvremove lvreduce diskpart", always("disk")],
  ["format", verbs(/(^| )[a-z]:/i, "disk")],
  ["wipefs", wipefs],
  ["cryptsetup", verbs(/\b(luksFormat|luksErase|erase|luksKillSlot|reencrypt)\b/, "disk")],
  ["zpool zfs", verbs(/^(destroy|labelclear|rollback)\b/, "disk")],
  ["btrfs", verbs(/^subvolume delete|^device (remove|delete)/, "disk")],
  ["mdadm", verbs(/--(zero-superblock|stop|remove|fail)\b/, "disk")],
  ["hdparm", verbs(/--(security-erase|make-bad-sector|trim-sector|format)/, "disk")],
  ["nvme", verbs(/^(format|sanitize|delete-ns|write)/, "disk")],
  ["debugfs", verbs(/(^| )-\w*w/, "disk")],
  ["rtcwake", verbs(/(^| )(-m|--mode)[ =]?(off|mem|disk|standby|freeze)/, "power")],
  ["badblocks", verbs(/(^| )-\w*w/, "disk")],
  ["diskutil", verbs(/^(erase|partition|zero|random|secureErase|apfs delete|reformat|unmountDisk)/i, "disk")],
  ["umount", umount],
  ["shutdown", shutdown],
  ["reboot halt poweroff pm-suspend pm-hibernate kexec", always("power")],
  ["systemctl", systemctl],
  ["loginctl", verbs(/^(poweroff|reboot|suspend|hibernate|terminate-|kill-)/, "power")],
  ["init telinit", init],
  ["dbus-send busctl gdbus", verbs(/\b(PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep)\b/, "power")],
  ["pmset", verbs(/^(sleepnow|shutdown)/, "power")],
  ["sysctl", verbs(/(^| )(-w|--write|-p|--load|--system|[\w.]+=)/, "protect-system")],
  [
    "useradd userdel usermod groupadd groupdel groupmod adduser deluser passwd chpasswd vipw vigr visudo chsh insmod rmmod modprobe",
    always("protect-system"),
  ],
  ["crontab", crontab],
]);
