# frozen_string_literal: true

# Rules for a coding agent. The file's body is the rules DSL: `allow`, `ask` and `deny`, each with a tool
# pattern and, where you want one, an argument pattern. Load it with
#
#   Ask::Permissions::PermissionRules.new { instance_eval(File.read(path), path) }
#
# What people trip over:
#
# * The first rule that matches decides; later rules are not looked at. Put `deny` before `allow`.
# * When no rule matches, the decision is nil: neither allowed nor denied. The policy then asks the tool itself.
# * A tool pattern that is a String or a Symbol is the whole name; a Regexp matches anywhere in it unless anchored:
#   /open/ also matches "reopen_port". Only the Symbol :all means every tool.
# * A Regexp argument pattern sees text, not fields. A Hash becomes JSON ({"command":"ls -F"}), so the text begins
#   with a brace, and /^ls/ or /\Als/ never matches it, nor does /ls$/. A String is taken as the model wrote it, and
#   models differ in spacing: write "command":\s*" rather than "command":".
# * In JSON a line break is a backslash and an n, and any character may be written \u003b. A `deny` is therefore a
#   net with holes; an `allow` that spells out the whole text, from \A to \z, without backslashes, is a wall.
# * An argument pattern that is no Regexp is a plain substring, found anywhere, file contents included.
# * `allow "bash"` without an argument pattern is too much to promise: it is declared as allow but decides ask,
#   as does any unrestricted allow that covers bash, code or repl. `PermissionRules#dangerous_rules` lists them.

# --- Never -----------------------------------------------------------------------------------------------------

# Text that a person would read differently from the machine, raw or escaped: overrides of writing direction.
deny :all, /[\u202A-\u202E\u2066-\u2069]|\\u20(?:2[a-e]|6[6-9])/i

# Secrets have no business in a tool call, whichever tool it is.
deny :all, /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{36}/

# Deleting recursively or by force, formatting, and running what was just downloaded.
deny "bash", /\brm\s+(?:-\S+\s+)*(?:-\w*[rRf]|--(?:recursive|force))/
deny "bash", /\b(?:curl|wget)\b[^|]*\|\s*(?:sudo\s+)?\w*sh\b/
deny "bash", "mkfs"

# Becoming someone else, talking to other machines, and reading recorded traffic, which is full of credentials.
deny "bash", /\b(?:sudo|connect_\w+|nc|telnet|tcpdump|tshark)\s/

# Files that hold secrets, for every tool, and files that decide who may do what, for those that write. The text
# before the dot keeps `process.env` in a program from matching.
deny :all, %r{[\s"'/]\.(?:env\b|ssh/)|/etc/shadow}
deny(/\A(?:edit|create|insert|write)\z/, %r{[\s"'/]\.git/|"/etc/|\.github/workflows})

# A Symbol is a name like any other.
deny :destroy

# --- Without a question ----------------------------------------------------------------------------------------

# Reading. The anchors matter: without them /open/ would also cover whatever tool is added next year.
allow(/\A(?:open|read_file|find_file|goto|search_(?:dir|file)|scroll_(?:down|up))\z/)
allow :list_files

# Shell commands that only look, given alone: no second command, redirection, substitution or escape. The pattern
# spells out the whole text, so another key cannot hide behind the first. Options are part of what is allowed:
# `git diff --output=FILE` writes, so git gets a list of its own.
allow "bash", %r{\A\{\s*"command":\s*"(?:ls|cat|open|pwd|head|tail|wc)(?: [\w.,/ -]*)?"\s*\}\z}
allow "bash", /\A\{\s*"command":\s*"git (?:status|diff|log)(?: --oneline| --stat| -\d+)*"\s*\}\z/
allow "bash", %r{\A\{\s*"command":\s*"(?:find_file|disassemble|decompile|strings)(?: (?:[\w./ -]|\\")*)?"\s*\}\z}
allow "bash", /\A\{\s*"command":\s*"(?:submit|exit)"\s*\}\z/

# A new file in the working directory; what goes into it is asked below.
allow "create", /\A\{\s*"filename":\s*"\w[\w-]*\.py"\s*\}\z/

# --- A person decides ------------------------------------------------------------------------------------------

ask(/\A(?:edit|create|insert|write)\z/)

ask :repl

# Installing is asked by name, so that a report shows it apart from other commands. A substring is enough here.
ask "bash", "pip install"

# Declared as allow, decided as ask (see above): everything else in a shell.
allow "bash"

# No rule for "submit" and others: their decision is nil, and the policy goes on to what the tool says of itself.
