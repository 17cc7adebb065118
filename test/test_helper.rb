# frozen_string_literal: true

# Which library is tested: the working tree's, another directory's (ASK_PERMISSIONS_LIB), or the
# installed gem's (ASK_PERMISSIONS_INSTALLED), so that one suite serves all three.
if ENV["ASK_PERMISSIONS_INSTALLED"]
  gem "ask-permissions"
else
  $LOAD_PATH.unshift(File.expand_path(ENV.fetch("ASK_PERMISSIONS_LIB", File.join(__dir__, "..", "lib"))))
end

require "minitest/autorun"
require "ask-permissions"
