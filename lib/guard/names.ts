// The programs the engine has a page for. Whatever is not among them can only be harmless or a wrapper.
// A test compares this list with the engine's own.
const NAMES = [
  ". 7z 7za 7zz : R Rscript [ abduco adduser alacritty alias ansible apt apt-get arch aria2c asdf ash at autossh",
  "awk aws aws-vault badblocks base32 base64 basename basenc bash bat batch bfg bg blkdiscard break brew brotli",
  "bsdtar btrfs builtin bun bundle bunx bunzip2 busctl busybox bwrap bzcat bzip2 c++ caesar caffeinate calife capsh",
  "cargo cat cc cd cfdisk chattr chdir chflags chgrp chmod choom chown chpasswd chronic chroot chrt chsh clang",
  "clang++ claude clojure cmake cmd column command compgen complete composer concurrently conda continue cp cpio cpulimit",
  "crontab cross-env cross-env-shell cryptsetup crystal csh csplit curl cut dash dbclient dbus-launch",
  "dbus-run-session dbus-send dcfldd dd debugfs declare del-cli deluser deno dig direnv dirname diskpart diskutil",
  "disown distrobox doas docker docker-compose doppler dotenv dtach duckdb dumb-init dzdo echo ed egrep elixir",
  "elvish emacs entr env erl eval ex exec exit expect export fakeroot faketime false fd fdfind fdisk fetch fg fgrep",
  "find firejail fish fkill fkill-cli flatpak-spawn flock fly fold foot format ftp fuser g++ gawk gcc gchmod gchown",
  "gcloud gcp gdb gdbus gdd gdisk gfind gh ghc ginstall gio git gkill glab gln gmake gmv gnome-terminal gnuplot go",
  "gosu gpg gpg2 grep grm groovy groupadd groupdel groupmod gsed gsudo gsutil gtar gtimeout guile gunzip gxargs",
  "gzcat gzip halt hash hatch hdparm head history htop http httpie https hub hyperfine iex ifne incus init insmod",
  "install ionice ipython java jobs jps jq jrunscript jshell julia k kexec kill kill-port kill-port-process killall",
  "killall5 killport kitten kitty konsole ksh kubectl ld.so less let lftp limactl link links linux64 lldb ln local",
  "loginctl loksh ls lsof ltrace lua luajit lvreduce lvremove lxc lynx lzcat m4 make mamba man mapfile mariadb mawk",
  "mdadm mise mix mkdir mkdosfs mke2fs mkfifo mkfs mkntfs mksh mkswap mktemp modprobe more mosh multipass mv mvn",
  "mysql nano nawk nc ncat nerdctl netcat netstat newfs nice nim nix nix-shell nl node nodejs nodemon nohup npm",
  "npm-run-all npx nsenter nslookup nu numactl nvim nvme oc octave oksh op openssl osascript parallel parted passwd",
  "paste patch pdm perf perl pgrep php pidof pidwait pipenv pipx pkexec pkill pm-hibernate pm-suspend pmset pnpm",
  "podman poetry popd poweroff powershell printf prlimit procs proot proxychains proxychains4 ps psql pstree pushd",
  "pvremove pwd pwsh pypy python racket rails rbash read readarray readlink readonly realpath reboot red return rev",
  "rg rimraf rlwrap rm rmmod rot13 rsync rtcwake ruby run-one run0 runas runuser rye sbcl scala scp screen script",
  "sed seq set setarch setcap setfacl setpriv setsid sfdisk sftp sg sgdisk sh shift shopt shred shuf shutdown skill",
  "slay sleep socat sort source split sponge sqlite3 srm ss ssh ssh-keygen sshpass st start-stop-daemon stdbuf",
  "strace su su-exec sudo sudoedit swift sysctl systemctl systemd-cat systemd-inhibit systemd-run tac tail tar",
  "taskkill taskset tcc tclsh tcsh tee telinit telnet test tftp time timeout tini tmux toolbox top torify torsocks",
  "touch toybox tr trap trash trash-put true truncate ts ts-node tsx type typeset ulimit umask umount unbuffer",
  "uncompress uniq unlink unlzma unset unshare unxz unzip urxvt useradd userdel usermod uudecode uv uvx vagrant",
  "valgrind vgremove vi view vigr vim vipw visudo w3m wait watch watchexec wezterm wget which whoami winpty wipe",
  "wipefs wish wsl xargs xattr xfce4-terminal xh xkill xonsh xterm xvfb-run xxd xz xzcat yarn yash yes yq zcat",
  "zellij zfs zip zpool zsh zstd zstdcat zx",
];

const KNOWN = new Set(NAMES.join(" ").split(" "));

export const isKnown = (name: string): boolean => KNOWN.has(name);
export const knownNames = (): string[] => [...KNOWN];
