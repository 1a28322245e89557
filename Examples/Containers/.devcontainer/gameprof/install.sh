#!/bin/sh
# Installs gameprof from a release package, on Debian and Ubuntu, as root. The variables OWNER, VERSION, PACKAGE and SHA256 are the
# options of devcontainer-feature.json.
set -eu

refuse() {
    echo "gameprof is not installed: $1" >&2
    exit 1
}

version=${VERSION:-0.1.0} owner=${OWNER:-} package=${PACKAGE:-} sum=${SHA256:-}
case $(uname -m) in
x86_64) architecture=amd64 ;;
aarch64) architecture=arm64 ;;
*) refuse "there are packages for x86-64 and aarch64 only." ;;
esac
command -v apt-get >/dev/null || refuse "the package is for Debian and Ubuntu; elsewhere, unpack the .tar.zst of the release."
if [ -z "$package" ]; then
    case $owner in
    '' | OWNER) refuse "name the account that has the repository (OWNER), or the URL of the package (PACKAGE)." ;;
    esac
    package=https://github.com/$owner/GameProfiler/releases/download/v$version/gameprof_${version}_$architecture.deb
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends ca-certificates curl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # apt reads the file as another user
curl --fail --silent --show-error --location --proto =https --retry 3 --output "$folder/gameprof.deb" "$package"
if [ -n "$sum" ]; then echo "$sum  $folder/gameprof.deb" | sha256sum --check --quiet; fi
apt-get install -y -qq --no-install-recommends "$folder/gameprof.deb"
rm -rf /var/lib/apt/lists/*
gameprof --version
