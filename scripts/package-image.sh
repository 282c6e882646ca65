#!/usr/bin/env bash
# npm run package:image: an OCI archive around the single executable, from nothing, with buildah and without a daemon.
set -euo pipefail
cd "$(dirname "$0")/.."
exe=packages/cli/bundle-exe/joust
[ -x "$exe" ] || npm run --silent package:exe
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root/usr/bin" "$root/tmp" "$root/work" "$root/etc"
chmod 1777 "$root/tmp" "$root/work"
cp "$exe" "$root/usr/bin/joust"
# The libraries that Node is linked with, at the paths where it looks for them.
ldd "$exe" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
printf 'joust:x:10001:10001::/work:/usr/bin/joust\n' > "$root/etc/passwd"
if [ -d /etc/ssl/certs ]; then mkdir -p "$root/etc/ssl" && cp -rL /etc/ssl/certs "$root/etc/ssl/"; fi

image=$(buildah from scratch)
buildah copy --quiet "$image" "$root" / >/dev/null
buildah config --user 10001 --workingdir /work --env HOME=/work --entrypoint '["/usr/bin/joust"]' "$image"
buildah commit --quiet "$image" "oci-archive:packages/cli/bundle-exe/joust.oci.tar:joust" >/dev/null
buildah rm "$image" >/dev/null
ls -l packages/cli/bundle-exe/joust.oci.tar
