# Completion of portcullis for fish. Put it into ~/.config/fish/completions, as portcullis.fish.
function __portcullis_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (portcullis completion fish -- $words[2..-1] 2>/dev/null)
  if test "$found" = ":path"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\n' $found
  end
end
complete -c portcullis -f -a '(__portcullis_words)'
