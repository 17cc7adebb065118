# shellcheck shell=bash
# Sourced: the machine's own apt source, restated for another suite of the same mirror.

# os_field NAME: a field of /etc/os-release, read without running it.
os_field() {
  if [[ -r /etc/os-release ]]; then sed -n "s/^$1=[\"']\\{0,1\\}\\([^\"']*\\)[\"']\\{0,1\\}\$/\\1/p" /etc/os-release; fi
}

# One deb822 stanza a source, whichever of the two formats it is written in; comments dropped.
apt_stanzas() {
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -r $file ]] || continue
    grep -v '^#' "$file" || true
    echo
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -r $file ]] || continue
    awk '$1 == "deb" {
      sub(/^[ \t]*deb[ \t]+/, ""); key = arch = ""
      if (sub(/^\[/, "")) {
        options = substr($0, 1, index($0, "]") - 1); $0 = substr($0, index($0, "]") + 1)
        count = split(options, option, /[ \t]+/)
        for (i = 1; i <= count; i++) {
          if (option[i] ~ /^signed-by=/) key = substr(option[i], 11)
          if (option[i] ~ /^arch=/) { arch = substr(option[i], 6); gsub(",", " ", arch) }
        }
      }
      $0 = $0
      uri = $1; suite = $2; $1 = $2 = ""
      print "Types: deb\nURIs: " uri "\nSuites: " suite "\nComponents:" $0
      if (key != "") print "Signed-By: " key
      if (arch != "") print "Architectures: " arch
      print ""
    }' "$file"
  done
}

# apt_source_for SUITE: the stanza of this machine's Debian, its suite exchanged; fails where there is none.
# Other archives use Debian's suite names too: Debian's own has a component main, and no key but Debian's.
apt_source_for() {
  apt_stanzas | awk -v RS= -v suite="$1" -v own="$(os_field VERSION_CODENAME)" '
    /(^|\n)Enabled:[ \t]*no/ || !/(^|\n)Types:[^\n]*deb([ \t]|\n|$)/ { next }
    !/(^|\n)Components:[^\n]*main([ \t]|\n|$)/ { next }
    !/(^|\n)URIs:[^\n]*debian/ || (/(^|\n)Signed-By:/ && !/debian-archive/) { next }
    {
      count = split($0, line, "\n"); mine = keep = 0; text = "Types: deb\n"
      for (i = 1; i <= count; i++) {
        if (line[i] ~ /^Suites:/) {
          words = split(line[i], word, /[ \t]+/)
          for (w = 2; w <= words; w++)
            if (word[w] == own || word[w] ~ /^(bookworm|trixie|oldstable|stable|testing|unstable|sid)$/) mine = 1
        }
        if (line[i] ~ /^[^ \t]/) keep = line[i] ~ /^(URIs|Signed-By|Architectures):/
        if (keep) text = text line[i] "\n"
      }
      if (mine) { printf "%sSuites: %s\nComponents: main\n", text, suite; found = 1; exit }
    }
    END { exit !found }'
}
