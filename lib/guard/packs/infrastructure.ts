import type { Row } from "../shell/rare-programs.ts";
import { FOUND_PIDS, UNKNOWN } from "../shell/state.ts";

/** Whatever another command printed. */
const COMPUTED = ` [${UNKNOWN}${FOUND_PIDS}]+( |$)`;

export const INFRASTRUCTURE: readonly Row[] = [
  {
    programs: "terraform tofu terragrunt",
    verb: /(^| )(destroy|apply( \S+)* --?(auto-approve|destroy)|state (rm|push)|workspace delete|force-unlock)\b/,
    why: "changes or destroys infrastructure without a look at the plan",
    instead: "show the user `terraform plan`",
  },
  {
    programs: "pulumi cdk serverless sls sam copilot eksctl kops",
    verb: /(^| )(destroy|remove|stack rm|up( \S+)* (-y|--yes)|delete( \S+)*|deploy( \S+)* --require-approval[ =]never)( |$)/,
    instead: "show the user `pulumi preview`",
  },
  {
    programs: "kubectl oc k",
    verb: /(^| )(delete (\S+ )*(?<!-n |--namespace )(\S+,)?(ns|namespaces?|projects?|pvc?|persistentvolume\S*|crds?|customresourcedefinition\S*|nodes?|sts|statefulsets?|deploy|deployments?|secrets?)(?=[ ,/.]|$)|delete\b.* (--all\b|-A\b|-l|--selector|--field-selector|-f|-k|--filename|--kustomize)|drain |scale .*--replicas[= ]0\b|replace .*--force\b)/,
    why: "deletes or stops what runs in the cluster",
    instead: "look with `kubectl get all -n staging` and delete one pod by its name",
  },
  {
    programs: "helm helmfile",
    verb: /(^| )(uninstall|delete|del|un|destroy)( |$)/,
    why: "removes a release with everything it made",
    instead: "look with `helm status web`, or go back with `helm rollback web 3`",
  },
  {
    programs: "docker podman nerdctl",
    verb: new RegExp(
      `(^| )(system prune\\b.*(-\\w*a|--all|--volumes)|image prune\\b.*(-\\w*a|--all)|volume (rm|remove|prune)\\b|(container )?(rm|kill|stop|rmi)\\b.*${COMPUTED}|image rm\\b.*${COMPUTED}|(compose|stack) ((?!\\bdown\\b).)*\\bdown\\b.*(-v\\b|--volumes|--rmi)|(stack|swarm|service) (rm|leave)\\b|network prune\\b)`,
    ),
    why: "removes containers, images or volumes of every project on this machine",
    instead: "name one of your own: `docker rm -f my-test-db`",
  },
  {
    programs: "docker-compose",
    verb: /(^| )down\b.*(-v\b|--volumes|--rmi)/,
    why: "removes the volumes with their data",
    instead: "keep the data: `docker-compose down`",
  },
  {
    programs: "aws",
    verb: /(^| )(s3 rb|s3 (rm|mv)\b.*--recursive|s3 sync\b.*--delete|s3api delete-\S+|(?<!\bs3 )[a-z][a-z0-9-]* (delete|terminate|deregister|purge|destroy|stop|disable|remove|cancel|release|schedule-key-deletion)(-[a-z0-9-]+)?)( |$)/,
    unless: /--generate-cli-skeleton|(^| )(sqs delete-message|logs delete-query-definition)\b/,
    why: "deletes or stops something in the cloud account",
  },
  {
    programs: "gcloud gsutil bq az doctl linode-cli hcloud scw oci ibmcloud aliyun",
    verb: /(^| )(delete|delete-\S+|destroy|purge|rb|rm -r\S*|rm --recursive|-m rm|reset|stop|deallocate)( |$)/,
    why: "deletes or stops something in the cloud account",
  },
  {
    programs: "heroku fly flyctl vercel netlify wrangler firebase railway render eas",
    verb: /(^| )(\S+:(destroy|delete|reset|remove)|destroy|delete|remove|rm|down)( |$)/,
    why: "removes an app or its data from the hosting service",
  },
  {
    programs: "rclone mc s3cmd s5cmd",
    verb: /^(-\S+ ([^-\s]\S* )?)*(purge|delete|sync|rb|rm\b.*(--recursive|-r\b)|del\b.*(--recursive|-r\b)|mirror\b.*--remove)\b/,
    why: "deletes files in a storage that others may use",
    instead: "copy instead: `rclone copy out remote:bucket/out`",
  },
  {
    programs: "gh glab",
    verb: /^(release|secret|variable|project|environment|label|run|gist|issue|ruleset|deploy-key|ssh-key|gpg-key) delete\b|^secret remove\b/,
    why: "deletes it for everyone",
  },
  {
    programs: "npm pnpm yarn",
    verb: /^(unpublish|deprecate|npm unpublish|owner (rm|remove)|dist-tag rm|access revoke|team destroy|token revoke)\b/,
    why: "takes a published package away from its users",
  },
  {
    programs: "cargo gem twine pod",
    verb: /^(yank|owner (--remove|-r)|trunk delete)\b/,
    why: "takes a published package away from its users",
  },
  {
    programs: "virsh VBoxManage vboxmanage multipass vagrant limactl proxmox qm",
    verb: /(^| )(destroy|undefine|unregistervm|delete|purge)( |$)/,
    why: "destroys a virtual machine",
  },
];
