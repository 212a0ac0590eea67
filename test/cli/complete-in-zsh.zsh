# What zsh would offer after Tab: zsh -f complete-in-zsh.zsh SCRIPT OUTPUT LINE... Completion needs a terminal, so a zsh is given one; each
# word that its completion adds is written to OUTPUT, and "==" after those of each line.
zmodload zsh/zpty
script=$1 output=$2
shift 2
: >$output
zpty inner zsh -f -i
zpty -w inner "PS1=; autoload -Uz compinit; compinit -u -D; source ${(q)script}; setopt no_auto_list"
# Calls with -O, -A and -D only filter.
zpty -w inner "compadd() { if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd \"\$@\"; return; fi; local -a words; builtin compadd -A words \"\$@\"; print -rl -- \$words >>${(q)output}; builtin compadd \"\$@\" }"
zpty -w inner "next() { BUFFER=; print -r '==' >>${(q)output} }; zle -N next; finish() { BUFFER=exit; zle accept-line }; zle -N finish"
# Not C-u and the like, which the terminal itself obeys while zsh is not at its prompt yet.
zpty -w inner "bindkey '^X' finish; bindkey '^N' next; bindkey '^I' complete-word; print REA''DY"
while zpty -r inner text; do [[ $text == *READY* ]] && break; done
for line; do zpty -w -n inner "$line"$'\t\C-n'; done
zpty -w -n inner $'\C-x'
while zpty -r inner text; do :; done
