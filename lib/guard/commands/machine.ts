// The machine itself: disks, power, users and the kernel.
import type { Handler, Page } from "../handler.ts";
import { hasHole } from "../holes.ts";
import { has, readOptions } from "../options.ts";
import type { RuleId } from "../rules.ts";
import { report, type Shell } from "../shell.ts";

const asksOnly = (args: readonly string[]) => args.some((arg) => /^(--help|--version|-V)$/.test(arg));
const isDevice = (arg: string) => arg.startsWith("/dev/") || hasHole(arg);

/** Formatting an image file is harmless; a device, an unknown target or none named is not. */
const mkfs: Handler = (args, shell) => {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const isImage = operands.some((arg) => /\.(img|iso|raw|qcow2|dmg|ext[234]|fs|bin|disk)$/.test(arg));
  if (!asksOnly(args) && operands.length && (operands.some(isDevice) || !isImage)) report(shell, "disk");
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
      : /^(-l|--list|-p|--print|-d|--dump|print|-v|--verify|-n|--no-act|--dry-run|-s|--show-size)$/;
  const looks = args.some((arg) => looking.test(arg));
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
  if (args.includes("-r")) report(shell, "protect-system");
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

export const MACHINE: Page = (is) => {
  if (is("mkfs mke2fs mkswap newfs mkdosfs mkntfs")) return mkfs;
  if (is("fdisk sfdisk cfdisk gdisk sgdisk parted")) return partitions;
  if (is("blkdiscard lvremove vgremove pvremove lvreduce diskpart")) return always("disk");
  if (is("format")) return verbs(/(^| )[a-z]:/i, "disk");
  if (is("wipefs")) return wipefs;
  if (is("cryptsetup")) return verbs(/\b(luksFormat|luksErase|erase|luksKillSlot|reencrypt)\b/, "disk");
  if (is("zpool zfs")) return verbs(/^(destroy|labelclear|rollback)\b/, "disk");
  if (is("btrfs")) return verbs(/^subvolume delete|^device (remove|delete)/, "disk");
  if (is("mdadm")) return verbs(/--(zero-superblock|stop|remove|fail)\b/, "disk");
  if (is("hdparm")) return verbs(/--(security-erase|make-bad-sector|trim-sector|format)/, "disk");
  if (is("nvme")) return verbs(/^(format|sanitize|delete-ns|write)/, "disk");
  if (is("debugfs")) return verbs(/(^| )-\w*w/, "disk");
  if (is("rtcwake")) return verbs(/(^| )(-m|--mode)[ =]?(off|mem|disk|standby|freeze)/, "power");
  if (is("badblocks")) return verbs(/(^| )-\w*w/, "disk");
  if (is("diskutil"))
    return verbs(/^(erase|partition|zero|random|secureErase|apfs delete|reformat|unmountDisk)/i, "disk");
  if (is("umount")) return umount;
  if (is("shutdown")) return shutdown;
  if (is("reboot halt poweroff pm-suspend pm-hibernate kexec")) return always("power");
  if (is("systemctl")) return systemctl;
  if (is("loginctl")) return verbs(/^(poweroff|reboot|suspend|hibernate|terminate-|kill-)/, "power");
  if (is("init telinit")) return init;
  if (is("dbus-send busctl gdbus"))
    return verbs(/\b(PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep)\b/, "power");
  if (is("pmset")) return verbs(/^(sleepnow|shutdown)/, "power");
  if (is("sysctl")) return verbs(/(^| )(-w|--write|-p|--load|--system|[\w.]+=)/, "protect-system");
  if (is("useradd userdel usermod groupadd groupdel groupmod adduser deluser chpasswd vipw vigr visudo chsh"))
    return always("protect-system");
  if (is("passwd")) return always("protect-system");
  if (is("insmod rmmod modprobe")) return always("protect-system");
  if (is("crontab")) return crontab;
  return undefined;
};
